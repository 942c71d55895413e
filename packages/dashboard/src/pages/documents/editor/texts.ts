/** What a person writes: the fields that are merged when two people change them. */
export interface Texts {
  title: string;
  content: string;
}

/** The texts of one version of a document. */
export interface Snapshot extends Texts {
  version: number;
}

/** The title that the service stores for a document whose title field is empty. */
export const UNTITLED = 'Untitled document';

export function sameTexts(one: Texts, other: Texts): boolean {
  return one.title === other.title && one.content === other.content;
}

/** The texts to store: the service refuses a blank title. */
export function storedTexts({ title, content }: Texts): Texts {
  return { title: title.trim() === '' ? UNTITLED : title, content };
}

/** The texts to put into the fields: `UNTITLED` is a placeholder there, so that typing a title replaces it. */
export function shownTexts({ title, content }: Texts): Texts {
  return { title: title === UNTITLED ? '' : title, content };
}
