/** Class of the header in which our pages show the title above the text; read back, it is the title and no text. */
export const TITLE_CLASS = 'document-title';
