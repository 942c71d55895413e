import { useEffect, useMemo } from 'react';
import type { Document } from '../document-types.js';
import type { DocumentSession } from '../editor/document-session.js';
import { editorPosition, withPlainLineBreaks } from '../editor/line-breaks.js';
import type { PlacedIssue } from './checker.js';
import { placeIn } from './locate.js';
import { useAnalysis } from './use-analysis.js';

const NO_ISSUES: readonly PlacedIssue[] = [];

/** Returns the open issues of the newest stored analysis, for people who may not check texts, and marks them. */
export function useStoredIssues(session: DocumentSession, document: Document) {
  const analysis = useAnalysis(document.id);
  const { content: version } = document;
  const issues = useMemo(() => {
    const { content } = session.autosave.yours;
    const open = analysis.data?.issues.filter(({ status }) => status === 'open') ?? NO_ISSUES;
    return open.flatMap((issue): PlacedIssue[] => {
      const place = placeIn(content, version, issue);
      if (!place) return [];
      const start = editorPosition(content, place.from);
      return [{ ...issue, key: issue.id, start, end: editorPosition(content, place.to) }];
    });
  }, [analysis.data, session, version]);
  useEffect(() => {
    session.editor.mark(
      'issues',
      issues.map(({ key: id, start: from, end: to, message: hint, original }) => ({
        id,
        from,
        to,
        hint,
        original: withPlainLineBreaks(original),
      })),
    );
    return () => {
      session.editor.mark('issues', []);
    };
  }, [issues, session]);
  return { analysis, issues };
}
