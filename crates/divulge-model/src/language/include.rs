//! Models that include others: every file is read once, and no file may include itself, however indirectly.

use super::ast::{Clause, File, Item, World, WorldBody};
use super::parser;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, SourceId, Span};
use rustc_hash::FxHashSet;

/// How included files are found. The crate itself reads no files.
pub trait Loader {
    /// The text of the file that the file called `from` includes as `path`, and the name to call it by, the same name
    /// for the same file however it is reached; or why it cannot be had.
    ///
    /// # Errors
    /// A reason in a few words, such as "no such file".
    fn load(&self, path: &str, from: &str) -> Result<Included, String>;
}

/// An included file.
pub struct Included {
    /// What to call it.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A loader for models that stand alone: every include fails.
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn load(&self, _path: &str, _from: &str) -> Result<Included, String> {
        Err("files cannot be included here".to_owned())
    }
}

/// Longer chains of includes are refused.
const MAX_CHAIN: usize = 50;
/// More files than this are refused.
const MAX_FILES: usize = 1000;

/// The items of a model and of all that it includes, included ones first, in the order of mention.
pub(super) fn items(source: SourceId, loader: &dyn Loader, diagnostics: &mut Diagnostics) -> Vec<Item> {
    Reader::new(loader, None).all(source, diagnostics).items
}

/// As [`items`], with the places of items and what every include leads to.
pub(super) fn surveyed(source: SourceId, loader: &dyn Loader, diagnostics: &mut Diagnostics) -> Surveyed {
    let reader = Reader::new(loader, Some(Places::default())).all(source, diagnostics);
    Surveyed { items: reader.items, places: reader.places.unwrap_or_default() }
}

/// The items of a model and of all that it includes, and where they stand.
pub(super) struct Surveyed {
    pub items: Vec<Item>,
    pub places: Places,
}

#[derive(Default)]
pub(super) struct Places {
    /// Where items stand.
    pub regions: Vec<Span>,
    /// Names of files, and the texts that they stand for.
    pub files: Vec<(Span, SourceId)>,
}

struct Reader<'l> {
    loader: &'l dyn Loader,
    seen: FxHashSet<String>,
    chain: Vec<String>,
    items: Vec<Item>,
    /// What is kept for those who want to know where things are.
    places: Option<Places>,
}

impl<'l> Reader<'l> {
    fn new(loader: &'l dyn Loader, places: Option<Places>) -> Self {
        Reader { loader, seen: FxHashSet::default(), chain: Vec::new(), items: Vec::new(), places }
    }

    fn all(mut self, source: SourceId, diagnostics: &mut Diagnostics) -> Self {
        self.seen.insert(diagnostics.source(source).name.clone());
        self.read(source, diagnostics);
        self
    }

    fn leads(&mut self, from: Span, to: SourceId) {
        if let Some(places) = &mut self.places {
            places.files.push((from, to));
        }
    }

    fn read(&mut self, source: SourceId, diagnostics: &mut Diagnostics) {
        let (name, text) = {
            let source = diagnostics.source(source);
            (source.name.clone(), source.text.clone())
        };
        let items = match &mut self.places {
            None => parser::parse(source, &text, diagnostics),
            Some(places) => {
                let (items, regions) = parser::parse_regions(source, &text, diagnostics);
                places.regions.extend(regions);
                items
            }
        };
        self.chain.push(name);
        for item in items {
            match item {
                Item::Include(path) => self.include(&path, diagnostics),
                Item::World(World { span, body: WorldBody::From(mut from) }) => {
                    from.files.iter_mut().for_each(|file| self.read_file(file, diagnostics));
                    self.items.push(Item::World(World { span, body: WorldBody::From(from) }));
                }
                Item::Observer(mut observer) => {
                    for clause in &mut observer.clauses {
                        if let Clause::SeesFrom(file) = clause {
                            self.read_file(file, diagnostics);
                        }
                    }
                    self.items.push(Item::Observer(observer));
                }
                other => self.items.push(other),
            }
        }
        self.chain.pop();
    }

    /// The text of a file of another tool.
    fn read_file(&mut self, file: &mut File, diagnostics: &mut Diagnostics) {
        let from = self.chain.last().cloned().unwrap_or_default();
        match self.loader.load(&file.name.text, &from) {
            Ok(read) => {
                let source = diagnostics.add_source(read.name, read.text);
                file.source = Some(source);
                self.leads(file.name.span, source);
            }
            Err(reason) => diagnostics.push(
                Diagnostic::new(Code::BadInclude, format!("\"{}\" cannot be read: {reason}", file.name.text))
                    .at(file.name.span, "")
                    .help(format!("the path is relative to the folder of \"{from}\"")),
            ),
        }
    }

    fn include(&mut self, path: &super::ast::Name, diagnostics: &mut Diagnostics) {
        if diagnostics.is_full() {
            return;
        }
        let from = self.chain.last().cloned().unwrap_or_default();
        let refuse = |code, message: String| Diagnostic::new(code, message).at(path.span, "");
        let file = match self.loader.load(&path.text, &from) {
            Ok(file) => file,
            Err(reason) => {
                let message = format!("\"{}\" cannot be included: {reason}", path.text);
                let advice = format!("the path is relative to the folder of \"{from}\"");
                return diagnostics.push(refuse(Code::BadInclude, message).help(advice));
            }
        };
        if let Some(start) = self.chain.iter().position(|name| *name == file.name) {
            let ring =
                self.chain[start..].iter().chain([&file.name]).cloned().collect::<Vec<_>>().join(" -> ");
            let finding = refuse(Code::CyclicInclude, format!("\"{}\" includes itself", file.name))
                .note(format!("the chain is {ring}"))
                .help("move what both files need into a third one, and include that in both");
            return diagnostics.push(finding);
        }
        if self.chain.len() >= MAX_CHAIN || self.seen.len() >= MAX_FILES {
            let message = format!("too many files: at most {MAX_FILES}, in chains of at most {MAX_CHAIN}");
            return diagnostics.push(refuse(Code::BadInclude, message).help("join some of the files"));
        }
        if self.seen.insert(file.name.clone()) {
            let source = diagnostics.add_source(file.name, file.text);
            self.leads(path.span, source);
            self.read(source, diagnostics);
        }
    }
}
