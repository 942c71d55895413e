import type { Texts } from './merge.js';

/** The title that the service stores for a document whose title field is empty. */
export const UNTITLED = 'Untitled document';

/** The title to store: the service refuses a blank one. */
export function storedTitle(typed: string): string {
  return typed.trim() === '' ? UNTITLED : typed;
}

/** The title to put into the field: `UNTITLED` is its placeholder, so that typing a title replaces it. */
export function shownTitle(stored: string): string {
  return stored === UNTITLED ? '' : stored;
}

export function storedTexts({ title, content }: Texts): Texts {
  return { title: storedTitle(title), content };
}

export function shownTexts({ title, content }: Texts): Texts {
  return { title: shownTitle(title), content };
}
