//! Label maps: how events look to an observer.

use crate::problem::{
    alphabet::{Alphabet, Label},
    names::Names,
};

/// The interned id of an image: what an observer sees of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Image(pub u32);

impl Image {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A label map h, total on the labels of an [`Alphabet`].
///
/// An action and an observation may share an image; that never changes a verdict, because which of the two an event is
/// follows from strict alternation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelMap {
    image_of: Vec<Image>,
    names: Names,
}

impl LabelMap {
    /// Every label is its own image.
    pub fn identity(alphabet: &Alphabet) -> Self {
        Self::from_fn(alphabet, |l| alphabet.name(l).to_owned())
    }

    /// The map that sends each label to the image named by `image`.
    pub fn from_fn<S: AsRef<str>>(alphabet: &Alphabet, mut image: impl FnMut(Label) -> S) -> Self {
        let mut names = Names::new();
        let image_of = alphabet.labels().map(|l| Image(names.intern(image(l).as_ref()).0)).collect();
        Self { image_of, names }
    }

    /// What an event looks like.
    pub fn image(&self, label: Label) -> Image {
        self.image_of[label.index()]
    }

    /// The images of all labels, in the order of the label ids.
    pub fn images(&self) -> &[Image] {
        &self.image_of
    }

    /// An image's name.
    pub fn name(&self, image: Image) -> &str {
        self.names.name(image.0)
    }

    /// The image of that name, if some label has it.
    pub fn get(&self, name: &str) -> Option<Image> {
        self.names.get(name).map(Image)
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no image, as with an alphabet without labels.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The labels that look like `image`, ascending.
    pub fn preimage(&self, image: Image) -> impl Iterator<Item = Label> + '_ {
        self.image_of.iter().enumerate().filter(move |&(_, &i)| i == image).map(|(l, _)| Label(l as u32))
    }
}

/// What a sought map must respect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapConstraints {
    /// Labels that must look alike, in groups.
    pub merge: Vec<Vec<Label>>,
    /// Labels that must look different, in groups: any two of a group.
    pub separate: Vec<Vec<Label>>,
    /// Labels whose image is given.
    pub fixed: Vec<(Label, String)>,
    /// The largest number of images, those of actions and those of observations counted together.
    pub max_images: Option<usize>,
    /// The smallest number of images, counted alike.
    pub min_images: Option<usize>,
    /// What it costs to merge two labels.
    pub merge_cost: Vec<(Label, Label, u64)>,
}

impl MapConstraints {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}
