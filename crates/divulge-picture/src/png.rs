//! SVG to PNG, with fonts of its own: it works where no font is installed.

use resvg::{tiny_skia, usvg};

/// Why a picture could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PngError {}

/// Larger pictures than this, in pixels of width or height, are refused.
const LARGEST: f64 = 20_000.0;
/// And than this in all.
const MOST_PIXELS: f64 = 200_000_000.0;

/// The PNG of an SVG of this crate, `scale` pixels to a unit.
///
/// # Errors
/// If the picture would be too large to be held, or has no size.
pub fn png(svg: &str, scale: f64) -> Result<Vec<u8>, PngError> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    for font in
        [notosans::REGULAR_TTF, notosans::BOLD_TTF, notosans::ITALIC_TTF, dejavu::sans_condensed::regular()]
    {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Noto Sans");
    let tree = usvg::Tree::from_str(svg, &options)
        .map_err(|e| PngError(format!("the picture cannot be read: {e}")))?;
    let (width, height) = (f64::from(tree.size().width()) * scale, f64::from(tree.size().height()) * scale);
    let fits = width >= 1.0 && height >= 1.0 && width.max(height) <= LARGEST && width * height <= MOST_PIXELS;
    if !fits {
        return Err(PngError(format!("a picture of {width:.0} by {height:.0} pixels cannot be made")));
    }
    let mut pixels = tiny_skia::Pixmap::new(width.ceil() as u32, height.ceil() as u32)
        .ok_or_else(|| PngError("there is no room for the picture".to_owned()))?;
    let scale = scale as f32;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| PngError(format!("the picture cannot be written: {e}")))
}
