//! The conversation with one client.

mod capabilities;
mod commands;
mod models;
mod notifications;
mod requests;
mod work;

use std::collections::{BTreeMap, HashMap};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{InitializeParams, notification, request};

use crate::{
    analysis::{Asked, Stop},
    feature::lenses::Standing,
    text::{Texts, name_of},
};
use models::Model;
use work::Done;

/// What may go wrong with a conversation itself.
pub type Broken = Box<dyn std::error::Error + Send + Sync>;

/// Speaks to a client over standard input and output until it leaves.
///
/// # Errors
/// If the streams break, or the client breaks the protocol.
pub fn stdio() -> Result<(), Broken> {
    let (connection, threads) = Connection::stdio();
    serve(connection)?;
    threads.join()?;
    Ok(())
}

/// Speaks to one client until it leaves.
///
/// # Errors
/// If the connection breaks, or the client breaks the protocol.
pub fn serve(connection: Connection) -> Result<(), Broken> {
    let (id, params) = connection.initialize_start()?;
    connection.initialize_finish(id, capabilities::offered())?;
    // A client that says odd things of itself is served as one that can do little.
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let (done, finished) = unbounded();
    let mut server = Server::new(connection.sender.clone(), done, &params);
    server.run(&connection, &finished);
    Ok(())
}

/// All that is known of the conversation.
struct Server {
    sender: Sender<Message>,
    done: Sender<Done>,
    texts: Texts,
    /// Folders that the client works in.
    folders: Vec<String>,
    /// Whether the client can be told to ask for lenses again, and to show a page.
    refreshes: bool,
    shows: bool,
    /// Grows with every change of any text.
    generation: u64,
    /// What is known of each open document.
    models: HashMap<String, Model>,
    /// Questions that somebody wants answered, and how they stand.
    questions: BTreeMap<Asked, (Standing, Stop)>,
    /// Requests that wait for the answer to a question.
    waiting: Vec<(RequestId, Asked)>,
    /// Pages that are being made, with the requests that want them.
    pages: Vec<(RequestId, Stop)>,
    /// The files about which something is said now.
    told: Vec<String>,
    /// Whether the client has said goodbye.
    leaving: bool,
    next_id: i32,
}

impl Server {
    fn new(sender: Sender<Message>, done: Sender<Done>, params: &InitializeParams) -> Server {
        let can = &params.capabilities;
        let lenses = can.workspace.as_ref().and_then(|w| w.code_lens.as_ref());
        let pages = can.window.as_ref().and_then(|w| w.show_document.as_ref());
        let folders = params.workspace_folders.iter().flatten().map(|folder| name_of(&folder.uri)).collect();
        Server {
            sender,
            done,
            texts: Texts::default(),
            folders,
            refreshes: lenses.and_then(|lenses| lenses.refresh_support).unwrap_or(false),
            shows: pages.is_some_and(|pages| pages.support),
            generation: 0,
            models: HashMap::new(),
            questions: BTreeMap::new(),
            waiting: Vec::new(),
            pages: Vec::new(),
            told: Vec::new(),
            leaving: false,
            next_id: 0,
        }
    }

    fn run(&mut self, connection: &Connection, finished: &Receiver<Done>) {
        loop {
            select! {
                recv(connection.receiver) -> message => match message {
                    Err(_) => break,
                    Ok(Message::Request(request)) => self.asked_for(request),
                    Ok(Message::Notification(notification)) if notification.method == "exit" => break,
                    Ok(Message::Notification(notification)) => self.notified(notification),
                    Ok(Message::Response(_)) => {}
                },
                recv(finished) -> done => {
                    if let Ok(done) = done {
                        self.finished(done);
                    }
                }
            }
        }
        self.stop_all();
    }

    /// After `shutdown` nothing is done any more, but the client may still be saying something.
    fn asked_for(&mut self, request: Request) {
        if self.leaving {
            return self.refuse(request.id, ErrorCode::InvalidRequest, "the server is about to leave");
        }
        if request.method == "shutdown" {
            self.leaving = true;
            self.stop_all();
            return self.send(Response::new_ok(request.id, ()));
        }
        self.request(request);
    }

    /// Ends all threads that are still at work.
    fn stop_all(&mut self) {
        self.models.values().for_each(|model| model.stop.stop());
        self.questions.values().for_each(|(_, stop)| stop.stop());
        self.pages.iter().for_each(|(_, stop)| stop.stop());
    }

    fn send(&self, message: impl Into<Message>) {
        // If nobody listens any more, the loop is about to end.
        let _ = self.sender.send(message.into());
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    /// Asks the client for something; what it answers does not matter.
    fn ask_client<R: request::Request>(&mut self, params: R::Params) {
        self.next_id += 1;
        self.send(Request::new(RequestId::from(self.next_id), R::METHOD.to_owned(), params));
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: impl Into<String>) {
        self.send(Response::new_err(id, code as i32, message.into()));
    }
}
