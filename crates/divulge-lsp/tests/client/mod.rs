//! A client that speaks to the server through memory.
#![allow(dead_code)]

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// Nothing takes longer than this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client, and what it was told.
pub struct Client {
    connection: Connection,
    server: Option<std::thread::JoinHandle<Result<(), String>>>,
    next: i32,
    /// By address: the version they are about, and the diagnostics.
    pub diagnostics: HashMap<String, (Option<i64>, Vec<Value>)>,
    /// Requests of the server.
    pub asked: Vec<Request>,
    responses: HashMap<RequestId, Response>,
    versions: HashMap<String, i32>,
}

impl Client {
    pub fn start() -> Client {
        Client::with(
            json!({"workspace": {"codeLens": {"refreshSupport": true}}, "window": {"showDocument": {"support": true}}}),
        )
    }

    pub fn with(capabilities: Value) -> Client {
        let (connection, theirs) = Connection::memory();
        let server = std::thread::spawn(move || divulge_lsp::serve(theirs).map_err(|e| e.to_string()));
        let mut client = Client {
            connection,
            server: Some(server),
            next: 0,
            diagnostics: HashMap::new(),
            asked: Vec::new(),
            responses: HashMap::new(),
            versions: HashMap::new(),
        };
        let answer = client.request("initialize", json!({"capabilities": capabilities})).unwrap();
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        client.notify("initialized", json!({}));
        client
    }

    pub fn notify(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).unwrap();
    }

    /// Sends a request and goes on; its number.
    pub fn begin(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).unwrap();
        id
    }

    /// The answer to a request: a result, or the code and the message of an error.
    pub fn answer(&mut self, id: &RequestId) -> Result<Value, (i32, String)> {
        self.until(|client| client.responses.contains_key(id));
        let response = self.responses.remove(id).unwrap();
        response.response_result.map_err(|e| (e.code, e.message))
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.begin(method, params);
        self.answer(&id)
    }

    /// Listens until something is so.
    pub fn until(&mut self, so: impl Fn(&Client) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !so(self) {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.connection.receiver.recv_timeout(left);
            match message.expect("the server says nothing") {
                Message::Response(response) => drop(self.responses.insert(response.id.clone(), response)),
                Message::Request(request) => {
                    let answer = Response::new_ok(request.id.clone(), Value::Null);
                    self.connection.sender.send(answer.into()).unwrap();
                    self.asked.push(request);
                }
                Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => {
                    let uri = told.params["uri"].as_str().unwrap().to_owned();
                    let list = told.params["diagnostics"].as_array().unwrap().clone();
                    self.diagnostics.insert(uri, (told.params["version"].as_i64(), list));
                }
                Message::Notification(_) => {}
            }
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.to_owned(), 1);
        let document = json!({"uri": uri, "languageId": "divulge", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Changes a part of a text, or all of it.
    pub fn change(&mut self, uri: &str, changes: Value) {
        let version = self.versions.get_mut(uri).unwrap();
        *version += 1;
        let document = json!({"uri": uri, "version": *version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics of the text as it is now.
    pub fn findings(&mut self, uri: &str) -> Vec<Value> {
        let version = i64::from(self.versions[uri]);
        self.until(|client| client.diagnostics.get(uri).is_some_and(|(of, _)| *of == Some(version)));
        self.diagnostics[uri].1.clone()
    }

    /// The codes of these diagnostics.
    pub fn codes(&mut self, uri: &str) -> Vec<String> {
        self.findings(uri).iter().map(|d| d["code"].as_str().unwrap_or("-").to_owned()).collect()
    }

    pub fn at(&mut self, method: &str, uri: &str, position: Value) -> Result<Value, (i32, String)> {
        self.request(method, json!({"textDocument": {"uri": uri}, "position": position}))
    }

    /// Says goodbye; the server must end without an error.
    pub fn end(mut self) {
        self.request("shutdown", Value::Null).unwrap();
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().expect("the server panicked").unwrap();
    }
}

/// The place before the `nth` (from 0) occurrence of `word`, as editors count.
pub fn place(text: &str, word: &str, nth: usize) -> Value {
    let offset = text.match_indices(word).nth(nth).unwrap_or_else(|| panic!("no {word}")).0;
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}

/// A text with the edits of a `TextEdit[]` carried out.
pub fn edited(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = position["character"].as_u64().unwrap() as usize;
        let mut at = start;
        for c in text[start..].chars() {
            if units == 0 {
                break;
            }
            units = units.saturating_sub(c.len_utf16());
            at += c.len_utf8();
        }
        at
    };
    let mut spans: Vec<(usize, usize, String)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap().to_owned())
        })
        .collect();
    spans.sort();
    let mut out = text.to_owned();
    for (start, end, new) in spans.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}
