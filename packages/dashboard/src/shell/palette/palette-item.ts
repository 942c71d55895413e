/** One thing that the palette leads to. */
export interface PaletteItem {
  /** Unique among all that are shown. */
  id: string;
  /** What it is: "Page", "Action", "Document", or the kind of a pasted id. */
  kind: string;
  name: string;
  hint?: string;
  /** Address below the account, with its query: `webhooks?dialog=create-webhook`. One that begins with a slash is below `/dashboard`. */
  href: string;
}
