-- A real client: opens a model, gets the diagnostic, applies the fix, renames, formats, asks for a plan.
-- scripts/test-editor starts Neovim with this file; `program` and `model` are set before it is read.

local PATIENCE = 60000

local function fail(message)
  io.stderr:write("neovim: error: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function expect(what, so)
  if not vim.wait(PATIENCE, so, 20) then
    local said = vim.inspect(vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0)))
    fail(what .. " did not happen; diagnostics: " .. said:sub(1, 2000) .. "\n" .. table.concat(vim.api.nvim_buf_get_lines(0, 0, 60, false), "\n"))
  end
  io.stderr:write("neovim: " .. what .. "\n")
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function codes()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local lsp = diagnostic.user_data and diagnostic.user_data.lsp or {}
    found[tostring(diagnostic.code or lsp.code)] = diagnostic
  end
  return found
end

-- The place of a word, as vim counts: lines from one, bytes from zero.
local function put_cursor(pattern)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(pattern, 1, true)
    if at then
      return vim.api.nvim_win_set_cursor(0, { number, at - 1 })
    end
  end
  fail("there is no " .. pattern)
end

-- Some 2,000 lines, or a short model with a world that nobody explores to its end.
local function long_model()
  local lines = { "world {", "  x: 0..30 = 0" }
  for i = 1, 900 do
    lines[#lines + 1] = ("  action a%d when x < %d { x := x + 1 }"):format(i, i % 30 + 1)
  end
  vim.list_extend(lines, { "  observe { quiet otherwise }", "  goal x = 30", "}", "", "observer spy {", "  knows world", "  sees others as themselves" })
  for i = 1, 1090 do
    lines[#lines + 1] = ("  stipulate s%d: possible(x = %d) | true"):format(i, i % 30)
  end
  lines[#lines + 1] = "}"
  return lines
end

local function endless_model()
  local lines = { "world {" }
  for _, name in ipairs({ "a", "b", "c", "d", "e", "f" }) do
    vim.list_extend(lines, { ("  %s: 0..99 = 0"):format(name), ("  action %s_up when %s < 99 { %s := %s + 1 }"):format(name, name, name, name) })
  end
  return vim.list_extend(lines, { "  observe { quiet otherwise }", "  goal a = 99 & f = 99", "}", "observer spy { knows world; sees others as themselves; stipulate s: !knows(b = 1) }" })
end

-- A model in a buffer of its own, with the server.
local function open_text(name, lines, id)
  vim.cmd("edit! " .. vim.fn.fnameescape(vim.fn.fnamemodify(model, ":h") .. "/" .. name))
  vim.bo.filetype = "divulge"
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  vim.lsp.buf_attach_client(0, id)
end

-- Types a mistake into the last line but one, and takes it back: what is wrong is told, whatever else is going on.
local function type_into(what)
  local at = vim.api.nvim_buf_line_count(0) - 1
  local begin = vim.loop.hrtime()
  vim.api.nvim_buf_set_lines(0, at, at, false, { "world = 3" })
  expect("typing into " .. what .. " is followed", function()
    for _, found in ipairs(vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })) do
      if found.lnum >= at - 1 then
        return true
      end
    end
  end)
  io.stderr:write(("neovim: %d ms after the key, of which the editor itself waits 150\n"):format((vim.loop.hrtime() - begin) / 1e6))
  vim.api.nvim_buf_set_lines(0, at, at + 1, false, {})
  expect("so is taking it back", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
  end)
end

local function run()
  vim.cmd("edit " .. vim.fn.fnameescape(model))
  vim.bo.filetype = "divulge"
  local id = vim.lsp.start_client({ name = "divulge", cmd = { program, "lsp" }, root_dir = vim.fn.fnamemodify(model, ":h") })
  if not id then
    fail("the server does not start")
  end
  vim.lsp.buf_attach_client(0, id)
  expect("the client is attached", function()
    local client = vim.lsp.get_client_by_id(id)
    return client and client.initialized
  end)
  local client = vim.lsp.get_client_by_id(id)

  expect("the mistake is found", function() return codes()["E0201"] end)
  local wrong = codes()["E0201"]
  local range = {
    start = { line = wrong.lnum, character = wrong.col },
    ["end"] = { line = wrong.end_lnum, character = wrong.end_col },
  }
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = wrong.user_data and wrong.user_data.lsp and wrong.user_data.lsp.range or range,
    context = { diagnostics = {} },
  }
  -- Columns of bytes and of UTF-16 units agree before the mistake, since only ASCII stands there.
  local answer = client.request_sync("textDocument/codeAction", params, PATIENCE, 0)
  local fix = answer and answer.result and answer.result[1]
  if not fix or fix.title ~= "Write `last`" then
    fail("no fix: " .. vim.inspect(answer))
  end
  vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
  expect("the fix mends it", function() return vim.tbl_isempty(codes()) end)

  put_cursor("zimmer_ä: 0")
  vim.lsp.buf.rename("raum")
  expect("the variable is renamed everywhere", function()
    local now = text()
    return not now:find("zimmer_ä", 1, true) and select(2, now:gsub("raum", "")) == 9
  end)

  vim.lsp.buf.formatting_sync(nil, PATIENCE)
  expect("the model is laid out", function() return text():find("\n  goal raum = last", 1, true) end)

  expect("there are lenses", function()
    vim.lsp.codelens.refresh()
    vim.wait(200)
    return #vim.lsp.codelens.get(0) >= 3
  end)
  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      if (options.format_item and options.format_item(item) or ""):find("seek a plan", 1, true) then
        return choose(item)
      end
    end
    fail("no lens seeks a plan: " .. vim.inspect(items))
  end
  put_cursor("observer nachbar")
  vim.lsp.codelens.run()
  expect("a plan is found", function()
    local found = codes()["found"]
    return found and found.message:find("at most 4 events", 1, true)
  end)
  vim.cmd("write")

  open_text("long.divulge", long_model(), id)
  expect("a model of 2,000 lines is read", function() return #vim.diagnostic.get(0) >= 50 end)
  type_into("2,000 lines")

  open_text("endless.divulge", endless_model(), id)
  local asked = { uri = vim.uri_from_bufnr(0), of = "observer", name = "spy", ask = "plan" }
  local answered
  client.request("workspace/executeCommand", { command = "divulge.ask", arguments = { asked } }, function(problem) answered = problem or true end, 0)
  vim.wait(500)
  if answered then
    fail("a plan in a world of a million million states was found at once: " .. vim.inspect(answered))
  end
  type_into("a model while a plan is sought")
  expect("the question was stopped", function() return answered end)

  vim.lsp.stop_client(id)
  vim.wait(PATIENCE, function() return client.is_stopped() end, 20)
end

local ok, message = xpcall(run, debug.traceback)
if not ok then
  fail(message)
end
vim.cmd("qall!")
