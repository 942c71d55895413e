/** An entry of the palette. */
export interface PaletteItem {
  /** Unique among the shown entries. */
  id: string;
  /** Its type: "Page", "Action", "Document", or the type of a pasted ID. */
  kind: string;
  name: string;
  hint?: string;
  /**
   * URL below the account, with its query: `webhooks?dialog=create-webhook`. If it starts with a slash, it is below
   * `/dashboard`.
   */
  href: string;
}
