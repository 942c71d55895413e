import type { ReactNode } from 'react';
import type { IconName } from '../../components/icons.js';

/** An entry of the palette. */
export interface PaletteItem {
  /** Unique among the shown entries. */
  id: string;
  /** Heading of its group: "Pages", "Actions", "Documents", or the type of a pasted ID. */
  group: string;
  icon: IconName;
  name: string;
  hint?: ReactNode;
  /**
   * URL below the account, with its query: `webhooks?dialog=create-webhook`. If it starts with a slash, it is below
   * `/dashboard`.
   */
  href: string;
}
