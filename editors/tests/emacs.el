;;; A real client: Emacs, without a screen, set up by the Lisp in editors/emacs/README.md. It opens a model, gets the diagnostic, applies
;;; the fix, renames, lays out and asks for a plan; where Emacs has tree-sitter, the grammar gives colours.
;;; scripts/test-editor starts it: emacs -Q --batch -l emacs.el FOLDER MODEL PROGRAM

(require 'cl-lib)
(require 'eglot)
(require 'flymake)

(defvar divulge-folder (pop command-line-args-left))
(defvar divulge-model (pop command-line-args-left))
(defvar divulge-program (pop command-line-args-left))

(defun divulge-fail (format &rest arguments)
  (message "emacs: error: %s" (apply #'format format arguments))
  (kill-emacs 1))

(defun divulge-blocks ()
  "The Lisp of the page for Emacs, one text for each block."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "editors/emacs/README.md" divulge-folder))
    (let (blocks)
      (while (re-search-forward "^```lisp\n\\(\\(?:.*\n\\)*?\\)```" nil t)
        (push (match-string 1) blocks))
      (nreverse blocks))))

(defun divulge-eval (text)
  (with-temp-buffer
    (insert (string-replace "FOLDER" divulge-folder text))
    (eval-buffer)))

(defun divulge-expect (what so)
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall so)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (unless (funcall so)
      (divulge-fail "%s did not happen; diagnostics: %S\n%s" what (divulge-told) (buffer-string))))
  (message "emacs: %s" what))

(defun divulge-told ()
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

;; The settings for eglot; those for lsp-mode, which is no part of Emacs, are only read.
(divulge-eval (nth 0 (divulge-blocks)))
(setcdr (assq 'divulge-mode eglot-server-programs) (list divulge-program "lsp"))
(setq eglot-autoreconnect nil
      eglot-send-changes-idle-time 0
      eglot-confirm-server-edits nil
      eglot-confirm-server-initiated-edits nil)

(find-file divulge-model)
(unless (eq major-mode 'divulge-mode)
  (divulge-fail "the model opens in %s" major-mode))
;; Without a screen nothing happens by itself after a command.
(apply #'eglot--connect (eglot--guess-contact))
(divulge-expect "the server answers" (lambda () (eglot-current-server)))
(unless (bound-and-true-p eglot--managed-mode)
  (eglot--managed-mode 1))
(flymake-mode 1)
(flymake-start)
(divulge-expect "the mistake is found"
                (lambda () (cl-some (lambda (text) (string-match-p "E0201\\|is not known here" text)) (divulge-told))))

(let* ((wrong (car (flymake-diagnostics)))
       (actions (eglot-code-actions (flymake-diagnostic-beg wrong) (flymake-diagnostic-end wrong)))
       (fix (cl-find "Write `last`" (append actions nil) :key (lambda (action) (plist-get action :title)) :test #'equal)))
  (unless fix
    (divulge-fail "no fix: %S" actions))
  (eglot--apply-workspace-edit (plist-get fix :edit) nil))
(eglot--signal-textDocument/didChange)
(divulge-expect "the fix mends it" (lambda () (flymake-start) (null (flymake-diagnostics))))

(goto-char (point-min))
(search-forward "zimmer_ä: 0")
(goto-char (match-beginning 0))
(eglot-rename "raum")
(divulge-expect "the variable is renamed everywhere"
                (lambda () (and (not (string-match-p "zimmer_ä" (buffer-string)))
                                (= 9 (how-many "raum" (point-min) (point-max))))))

(eglot-format-buffer)
(divulge-expect "the model is laid out" (lambda () (string-match-p "\n  goal raum = last" (buffer-string))))
(eglot--signal-textDocument/didChange)

(let ((answer (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                               (list :command "divulge.ask"
                                     :arguments (vector (list :uri (eglot--path-to-uri divulge-model)
                                                              :of "observer" :name "nachbar" :ask "plan")))
                               :timeout 60)))
  (unless (equal (plist-get answer :verdict) "found")
    (divulge-fail "a plan is asked for, and the answer is %S" answer))
  (message "emacs: a plan is found: %s" (plist-get answer :headline)))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))

(defun divulge-face (text)
  (goto-char (point-min))
  (search-forward text)
  (get-text-property (match-beginning 0) 'face))

(if (not (and (fboundp 'treesit-available-p) (treesit-available-p)))
    (message "emacs: built without tree-sitter, so the grammar was not tried")
  (divulge-eval (nth 2 (divulge-blocks)))
  (remove-hook 'divulge-mode-hook #'eglot-ensure)
  (divulge-mode)
  (font-lock-mode 1)
  (font-lock-ensure)
  (unless (and (eq (divulge-face "world") 'font-lock-keyword-face)
               (eq (divulge-face "raum: 0") 'font-lock-variable-name-face))
    (divulge-fail "no colours: `world` has %S, the variable %S" (divulge-face "world") (divulge-face "raum: 0")))
  (message "emacs: the grammar gives colours"))
(kill-emacs 0)
