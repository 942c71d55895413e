import { Injectable } from '@nestjs/common';
import type { Document } from '../../documents/document-fields.js';
import { LongTexts } from '../../content/long-texts/long-texts.js';
import { DocumentVersions } from '../../documents/versions/document-versions.js';
import type { Suggestion } from './enhancement.js';
import type { Enhancement } from './enhancements.repository.js';
import { moved } from './review.js';

/** Moves suggestions with the text (docs/adr/0022-text-analysis-and-suggestions.md). */
@Injectable()
export class SuggestionRebase {
  constructor(
    private readonly versions: DocumentVersions,
    private readonly texts: LongTexts,
  ) {}

  /** The suggestions with the open ones where they stand in the document as it is; stale where their passage is gone. */
  async onto(
    { accountId, id: documentId, version, content }: Document,
    { suggestions, textVersion }: Pick<Enhancement, 'suggestions' | 'textVersion'>,
  ): Promise<Suggestion[]> {
    const open = suggestions.filter(({ status }) => status === 'open');
    if (textVersion === version || open.length === 0) return [...suggestions];
    const base = await this.versions.find({ accountId, id: documentId }, textVersion);
    const ranges = base
      ? await this.texts.rebase(
          accountId,
          base.content,
          content,
          open.map(({ start, end }) => ({ start, end })),
        )
      : [];
    const rangeOf = new Map(open.map(({ id }, index) => [id, ranges[index] ?? null]));
    return moved(suggestions, content, ({ id, original }) => {
      const range = rangeOf.get(id) ?? null;
      return range && content.slice(range.start, range.end) === original ? range : null;
    });
  }
}
