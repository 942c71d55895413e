import type { Collection, Right } from '../../api/collections.js';

/** The place of documents that are in no folder, in URLs and in `collection=`. */
export const ROOT = 'root';
/** Levels of folders. */
const MAX_DEPTH = 8;

/** The lowest right first. */
export const RIGHTS = ['viewer', 'editor', 'manager'] as const satisfies readonly Right[];

/** A folder in the tree that the person can see. */
export interface Folder extends Collection {
  /** Sorted by name. */
  children: readonly Folder[];
  /** 1 at the top. */
  level: number;
  /** Documents in it and in all folders below. */
  total: number;
}

/** The folders that the person can see. */
export interface Folders {
  /** Sorted by name. */
  top: readonly Folder[];
  byId: ReadonlyMap<string, Folder>;
}

const NAMES = new Intl.Collator('en', { numeric: true });

/** Builds the tree. A folder whose parent is hidden is at the top. */
export function foldersOf(collections: readonly Collection[]): Folders {
  const known = new Set(collections.map(({ id }) => id));
  const below = new Map<string, Collection[]>();
  for (const collection of collections) {
    const { parentId } = collection;
    const place = parentId !== null && known.has(parentId) ? parentId : ROOT;
    below.set(place, [...(below.get(place) ?? []), collection]);
  }
  const byId = new Map<string, Folder>();
  const build = (parentId: string, level: number): Folder[] =>
    (below.get(parentId) ?? [])
      .map((collection) => {
        const children = build(collection.id, level + 1);
        const total = children.reduce(
          (sum, child) => sum + child.total,
          collection.documentCount ?? 0,
        );
        const folder = { ...collection, children, level, total };
        byId.set(folder.id, folder);
        return folder;
      })
      .sort((one, other) => NAMES.compare(one.name, other.name));
  return { top: build(ROOT, 1), byId };
}

/** Returns the folders from the top to this one; empty for the root and for unknown IDs. */
export function pathOf({ byId }: Folders, id: string | null): Folder[] {
  const path: Folder[] = [];
  for (let at = id === null ? undefined : byId.get(id); at; at = byId.get(at.parentId ?? ROOT)) {
    path.unshift(at);
  }
  return path;
}

/** Returns the names from the top to this folder: "HR / Contracts". */
export function pathName(folders: Folders, id: string | null): string {
  return pathOf(folders, id)
    .map(({ name }) => name)
    .join(' / ');
}

/** True if the folder is `above` or in it. */
export function isWithin(folders: Folders, id: string | null, above: string): boolean {
  return pathOf(folders, id).some((folder) => folder.id === above);
}

/** Returns the folder whose access decides who can open this place. Undefined if everyone in the account can open it. */
export function decidingFolder(folders: Folders, id: string | null): Folder | undefined {
  return pathOf(folders, id).findLast(({ isRestricted }) => isRestricted);
}

/** True if the folder can be opened with `right` or more. */
export function hasRight(folder: Pick<Collection, 'right'> | undefined, right: Right): boolean {
  return folder !== undefined && RIGHTS.indexOf(folder.right) >= RIGHTS.indexOf(right);
}

/** A row of the tree. */
export interface FolderRow {
  folder: Folder;
  /** Among the folders with the same parent, starting at 1. */
  position: number;
  /** Number of folders with the same parent. */
  size: number;
}

/** Returns the rows in open folders, from top to bottom. Without `open`, returns all rows. */
export function shownRows({ top }: Folders, open?: ReadonlySet<string>): FolderRow[] {
  const rows: FolderRow[] = [];
  const add = (siblings: readonly Folder[]) => {
    for (const [index, folder] of siblings.entries()) {
      rows.push({ folder, position: index + 1, size: siblings.length });
      if (open?.has(folder.id) !== false) add(folder.children);
    }
  };
  add(top);
  return rows;
}

/** Returns the folders whose name contains the words, as rows without a tree. */
export function foundRows(folders: Folders, words: string): FolderRow[] {
  const wanted = words.trim().toLowerCase();
  const found = [...folders.byId.values()]
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => NAMES.compare(one.name, other.name));
  return found.map((folder, index) => ({ folder, position: index + 1, size: found.length }));
}

/** Returns why documents cannot be put into a place, or undefined. Null is the root. */
export function whyNotInto(folders: Folders, to: string | null): string | undefined {
  if (to === null) return undefined;
  const folder = folders.byId.get(to);
  if (!folder) return 'This folder no longer exists.';
  return hasRight(folder, 'editor') ? undefined : `You can only view “${folder.name}”.`;
}

/** Returns why a folder cannot be moved into a place, or undefined. Null is the top. */
export function whyNotMove(folders: Folders, id: string, to: string | null): string | undefined {
  const folder = folders.byId.get(id);
  if (!folder) return 'This folder no longer exists.';
  if (!hasRight(folder, 'editor')) return `You can only view “${folder.name}”.`;
  if (to !== null && isWithin(folders, to, id)) return "A folder can't be moved into itself.";
  if (folder.parentId === to) return 'The folder is already here.';
  const levels = to === null ? 0 : (folders.byId.get(to)?.level ?? 0);
  if (levels + heightOf(folder) > MAX_DEPTH) {
    return `Folders can have at most ${String(MAX_DEPTH)} levels.`;
  }
  return whyNotInto(folders, to);
}

/** Returns the number of levels of a folder and those below it. */
function heightOf({ children }: Folder): number {
  return 1 + Math.max(0, ...children.map(heightOf));
}

interface Move {
  /** Where the things are now. */
  from: readonly (string | null)[];
  to: string | null;
  accountName: string;
  /** Pronoun for what moves. */
  what: 'it' | 'them';
}

/**
 * Returns whether a move changes who can open what is moved. This is unknown, and therefore true, for a folder that the
 * person cannot see, such as a deleted one.
 */
export function changesReaders(folders: Folders, { from, to }: Pick<Move, 'from' | 'to'>): boolean {
  const after = decidingFolder(folders, to)?.id;
  return from.some(
    (place) =>
      (place !== null && !folders.byId.has(place)) || decidingFolder(folders, place)?.id !== after,
  );
}

/** Returns a sentence that says who can open what is moved. Undefined if the move does not change that. */
export function readersAfter(folders: Folders, move: Move): string | undefined {
  if (!changesReaders(folders, move)) return undefined;
  const { to, accountName, what } = move;
  const decides = decidingFolder(folders, to);
  return decides
    ? `Only people who can open “${decides.name}” can read ${what} there.`
    : `Everyone in ${accountName} can read ${what} there.`;
}
