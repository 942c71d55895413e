/** The fields that are merged when two people change them. */
export interface Texts {
  title: string;
  content: string;
}

/** The texts of one version of a document. */
export interface Snapshot extends Texts {
  version: number;
}

/** Title that the service stores if the title field is empty. */
export const UNTITLED = 'Untitled document';

export function sameTexts(one: Texts, other: Texts): boolean {
  return one.title === other.title && one.content === other.content;
}

/** Returns the texts to store. The service rejects a blank title. */
export function storedTexts({ title, content }: Texts): Texts {
  return { title: title.trim() === '' ? UNTITLED : title, content };
}

/** Returns the texts for the fields. `UNTITLED` becomes a placeholder, so that typing replaces it. */
export function shownTexts({ title, content }: Texts): Texts {
  return { title: title === UNTITLED ? '' : title, content };
}
