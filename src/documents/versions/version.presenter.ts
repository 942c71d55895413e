import { encodeId } from '../../identifiers/identifiers.js';
import type { Version, VersionDiff, WholeVersion } from './version.js';

/** A version's public fields for lists. */
export function presentVersion(version: Version): object {
  const { number, title, type, status, wordCount, changes, author, createdAt } = version;
  return {
    number,
    title,
    type,
    status,
    wordCount,
    changes,
    author: { id: encodeId('user', author.id), name: author.name, email: author.email },
    createdAt: createdAt.toISOString(),
  };
}

/** A whole version, as JSON text: open objects go out to the letter as they came in. */
export function presentWholeVersion(version: WholeVersion): string {
  const head = JSON.stringify({ ...presentVersion(version), content: version.content });
  return `${head.slice(0, -1)},"metadata":${version.metadata},"aiSettings":${version.aiSettings}}`;
}

/** How one version became another, as JSON text. */
export function presentDiff(from: number, to: number, diff: VersionDiff): string {
  const { content, metadata, aiSettings, ...rest } = diff;
  const head = JSON.stringify({ from, to, ...rest });
  return `${head.slice(0, -1)},"content":${content},"metadata":${metadata},"aiSettings":${aiSettings}}`;
}
