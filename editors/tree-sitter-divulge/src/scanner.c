// Where items end. An item ends with its line, unless what the next line begins with can only go on with it.

#include "tree_sitter/parser.h"

#include <string.h>

enum { END, NEAR_WORD, NEAR_CALL, NEAR_BLOCK, NEAR_TEXT, AND_SEES, ERROR };

void *tree_sitter_divulge_external_scanner_create(void) { return NULL; }
void tree_sitter_divulge_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_divulge_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_divulge_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_letter(int32_t c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 127;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

// Skips space and comments; tells whether a line ended.
static bool skip_space(TSLexer *lexer) {
  bool broken = false;
  for (;;) {
    int32_t c = lexer->lookahead;
    if (c == '\n') {
      broken = true;
      lexer->advance(lexer, false);
    } else if (c == ' ' || c == '\t' || c == '\r') {
      lexer->advance(lexer, false);
    } else if (c == '/') {
      lexer->advance(lexer, false);
      if (lexer->lookahead != '/') {
        // A division: no line begins with one, so this goes on.
        return false;
      }
      while (!lexer->eof(lexer) && lexer->lookahead != '\n') {
        lexer->advance(lexer, false);
      }
    } else {
      return broken;
    }
  }
}

// Reads a word, or its beginning if it is longer than any that matters.
static void read_word(TSLexer *lexer, char *word, unsigned size) {
  unsigned length = 0;
  while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) {
    if (length < size - 1) {
      word[length++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
    }
    lexer->advance(lexer, false);
  }
  word[length] = 0;
}

static bool one_of(const char *word, const char *const *words) {
  for (; *words != NULL; words++) {
    if (strcmp(word, *words) == 0) {
      return true;
    }
  }
  return false;
}

// Whether a line that begins here goes on with the item before it.
static bool goes_on(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  if (c > 0 && c < 128 && strchr("=<>+-*/%&|,:.)]", (int)c) != NULL) {
    return true;
  }
  if (c == '!') {
    lexer->advance(lexer, false);
    return lexer->lookahead == '=';
  }
  if (!is_letter(c)) {
    return false;
  }
  static const char *const words[] = {"and",    "or",   "implies", "iff", "in",        "then", "else", "until",
                                      "unless", "when", "as",      "by",  "otherwise", "not",  NULL};
  char word[16];
  read_word(lexer, word, sizeof word);
  return one_of(word, words);
}

// Whether the word here can be the argument of the name before it.
static bool is_argument(TSLexer *lexer) {
  static const char *const words[] = {
      "action", "and",  "as",       "bool",  "by",   "const", "def",   "else",     "false",  "goal",      "if",   "iff",
      "implies", "in",  "include",  "is",    "kind", "knows", "let",   "not",      "observe", "observer", "or",   "others",
      "otherwise", "plan", "possible", "state", "then", "true", "when", "where",   "world",  "until",     "unless", NULL};
  char word[16];
  read_word(lexer, word, sizeof word);
  return !one_of(word, words);
}

// After the `;` of `sees a as x; b as y`: whether what follows belongs to it.
static bool sees_goes_on(TSLexer *lexer) {
  skip_space(lexer);
  if (lexer->lookahead == '"' || lexer->lookahead == '(') {
    return true;
  }
  if (!is_letter(lexer->lookahead)) {
    return false;
  }
  char word[16];
  read_word(lexer, word, sizeof word);
  skip_space(lexer);
  if (lexer->lookahead == ',' || lexer->lookahead == '=') {
    return true;
  }
  read_word(lexer, word, sizeof word);
  return strcmp(word, "as") == 0 || strcmp(word, "not") == 0;
}

bool tree_sitter_divulge_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  if (valid[ERROR]) {
    return false;
  }
  lexer->mark_end(lexer);
  bool broken = skip_space(lexer);
  bool over = lexer->eof(lexer);
  int32_t c = lexer->lookahead;
  if (c == ';' && valid[AND_SEES]) {
    lexer->advance(lexer, false);
    lexer->result_symbol = sees_goes_on(lexer) ? AND_SEES : END;
    return valid[lexer->result_symbol];
  }
  if (valid[END] && (over || c == ';' || c == '}' || (broken && !goes_on(lexer)))) {
    lexer->result_symbol = END;
    return true;
  }
  if (broken || over) {
    return false;
  }
  if (valid[NEAR_CALL] && c == '(') {
    lexer->result_symbol = NEAR_CALL;
  } else if (valid[NEAR_BLOCK] && c == '{') {
    lexer->result_symbol = NEAR_BLOCK;
  } else if (valid[NEAR_TEXT] && c == '"') {
    lexer->result_symbol = NEAR_TEXT;
  } else if (valid[NEAR_WORD] && is_letter(c) && is_argument(lexer)) {
    lexer->result_symbol = NEAR_WORD;
  } else {
    return false;
  }
  return true;
}
