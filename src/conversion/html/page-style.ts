/** The style of exported pages; fonts are those of the reader's machine. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 0.6em; }
img { max-width: 100%; height: auto; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { padding: 0.8rem; overflow-x: auto; border: 1px solid #8886; border-radius: 4px; }
blockquote { margin: 1em 0; padding: 0 1em; border-inline-start: 4px solid #8888; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: 0.3em 0.6em; text-align: start; vertical-align: top; }
th[align="center"], td[align="center"] { text-align: center; }
th[align="right"], td[align="right"] { text-align: right; }
th[align="left"], td[align="left"] { text-align: left; }
@media print { body { max-width: none; margin: 0; } }
`;
