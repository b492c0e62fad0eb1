//! Compiles the parser.

fn main() {
    let sources = ["src/parser.c", "src/scanner.c"];
    cc::Build::new()
        .include("src")
        .files(sources)
        .warnings(false)
        .opt_level(1)
        .compile("tree-sitter-divulge");
    for source in sources {
        println!("cargo:rerun-if-changed={source}");
    }
}
