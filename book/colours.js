// Colours for models: scripts/build-book adds this to the book's highlighter, which then knows the language.
hljs.registerLanguage("divulge", (h) => ({
  keywords: {
    keyword: "model include const let type def world graph plan observer cost use action observe goal start observing acting picture grid when otherwise by or sees others themselves as not at all knows filter stipulate merge separate fixed max min images unseen if else while repeat choose stop then in from where avoid",
    built_in: "always eventually next until unless hindsight run end possible knows_whether was initially state is kind and implies iff",
    literal: "true false bool",
  },
  contains: [h.COMMENT("//", "$"), h.QUOTE_STRING_MODE, h.C_NUMBER_MODE],
}));
