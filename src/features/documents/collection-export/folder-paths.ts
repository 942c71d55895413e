import { safeStem } from '../../../platform/http/file-name.js';
import type { Collection } from '../../collections/collection.js';

/** Gives each file of a zip a path that every file system accepts, and that no other file has. */
export class FolderPaths {
  /** Path of each folder with a final slash; the exported collection has an empty one. */
  private readonly folders = new Map<string, string>();
  /** The last number by path, so that many files of one name are not compared with each other. */
  private readonly numbers = new Map<string, number>();

  /** The first collection is the exported one. The others follow the one that contains them. */
  constructor(collections: readonly Pick<Collection, 'id' | 'name' | 'parentId'>[]) {
    for (const [index, { id, name, parentId }] of collections.entries()) {
      const parent = this.folders.get(parentId ?? '') ?? '';
      this.folders.set(id, index === 0 ? '' : `${this.unique(parent, name, '')}/`);
    }
  }

  /** Returns the path of a document: `Reports/July.md`, or `Reports/July (2).md` if that is taken. */
  of({ title, collectionId }: { title: string; collectionId: string }): string {
    return this.unique(this.folders.get(collectionId) ?? '', title, '.md');
  }

  private unique(folder: string, name: string, extension: string): string {
    const stem = folder + safeStem(name);
    const wanted = keyOf(stem + extension);
    let path = stem + extension;
    let number = this.numbers.get(wanted) ?? 0;
    do {
      number += 1;
      if (number > 1) path = `${stem} (${String(number)})${extension}`;
    } while (this.numbers.has(keyOf(path)));
    this.numbers.set(keyOf(path), 1).set(wanted, number);
    return path;
  }
}

/** Many file systems ignore case and the form of composed characters. */
const keyOf = (path: string) => path.normalize('NFC').toLowerCase();
