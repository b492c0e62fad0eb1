//! A server over standard input and output, as `divulge lsp` is: for trying it without the rest of the program.

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    divulge_lsp::stdio()
}
