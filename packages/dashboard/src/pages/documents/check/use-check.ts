import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { bodyOf, dataOf } from '../../../api/client.js';
import { useAccount, type CurrentAccount } from '../../../api/session.js';
import { showFailure } from '../../../components/messages.js';
import { showUndo } from '../../../components/undo-message.js';
import { useRules } from '../../../components/use-rules.js';
import type { DocumentSession } from '../editor/document-session.js';
import { withPlainLineBreaks } from '../editor/line-breaks.js';
import type { Job } from '../follow-job.js';
import type { CheckRequest } from './blocks.js';
import { Checker, type Issue, type PlacedIssue } from './checker.js';

interface CheckOptions {
  session: DocumentSession;
  documentId: string;
  /** IDs of issues that a set of suggestions has, too. */
  suggested: ReadonlySet<string>;
}

/** Checks the text while the panel is open. Returns its issues and the actions for them. */
export function useCheck({ session, documentId, suggested }: CheckOptions) {
  const { api, may } = useAccount();
  const { off, turn } = useRules();
  const [checker] = useState(() => checkerOf(session, documentId, api));
  const checks = useSyncExternalStore(checker.subscribe, checker.snapshot);
  const [hidden, setHidden] = useState<Hidden>({ ignored: new Set(), words: new Set() });
  useEffect(() => startedChecker(checker, session), [checker, session]);
  useEffect(() => {
    checker.filter(
      ({ id, ruleId, original, category }) =>
        !off.has(ruleId) &&
        !suggested.has(id) &&
        !hidden.ignored.has(id) &&
        !(category === 'spelling' && hidden.words.has(original)),
    );
  }, [checker, hidden, off, suggested]);
  const hide = useCallback((kind: keyof Hidden, value: string, isHidden: boolean) => {
    setHidden((before) => {
      const values = new Set(before[kind]);
      if (isHidden) values.add(value);
      else values.delete(value);
      return { ...before, [kind]: values };
    });
  }, []);
  const ignore = useMutation({
    mutationFn: (issue: PlacedIssue) => {
      const { content, ranges } = checker.requestOf(placeNow(session, issue)) ?? {};
      const params = { path: { id: documentId } };
      const body = { issueIds: [issue.id], ...(ranges && { content, ranges }) };
      return dataOf(api.POST('/v1/documents/{id}/dismissals', { params, body }));
    },
    onMutate: ({ id }) => {
      hide('ignored', id, true);
    },
    onSuccess: (_, { id, original }) => {
      showUndo(`“${original}” is ignored in this sentence.`, () => {
        const params = { path: { id: documentId, issueId: id } };
        dataOf(api.DELETE('/v1/documents/{id}/dismissals/{issueId}', { params })).then(() => {
          hide('ignored', id, false);
        }, showFailure);
      });
    },
    onError: (error, { id }) => {
      hide('ignored', id, false);
      showFailure(error);
    },
  });
  const addWord = useMutation({
    mutationFn: (word: string) =>
      dataOf(api.POST('/v1/dictionary/add', { body: { words: [word] } })),
    onMutate: (word) => {
      hide('words', word, true);
    },
    onSuccess: (_, word) => {
      checker.forget((block) => block.includes(word));
      showUndo(`“${word}” added to the dictionary.`, () => {
        dataOf(api.POST('/v1/dictionary/remove', { body: { words: [word] } })).then(() => {
          hide('words', word, false);
          checker.forget((block) => block.includes(word));
        }, showFailure);
      });
    },
    onError: (error, word) => {
      hide('words', word, false);
      showFailure(error);
    },
  });
  useRecheck(checker, off);
  return {
    ...checks,
    checkAll: () => {
      checker.checkAll();
    },
    ignore: ignore.mutate,
    addWord: may('documents:write') ? addWord.mutate : undefined,
    turnOff: turn && turnOffWith(turn),
  };
}

interface Hidden {
  ignored: ReadonlySet<string>;
  words: ReadonlySet<string>;
}

function turnOffWith(turn: (ruleId: string, isOn: boolean) => void) {
  return (ruleId: string) => {
    turn(ruleId, false);
  };
}

/** The findings of a rule that is turned on again are unknown. */
function useRecheck(checker: Checker, off: ReadonlySet<string>): void {
  const [before, setBefore] = useState(off);
  useEffect(() => {
    if (before === off) return;
    if ([...before].some((ruleId) => !off.has(ruleId))) checker.forget();
    setBefore(off);
  }, [before, checker, off]);
}

function checkerOf(session: DocumentSession, documentId: string, api: CurrentAccount['api']) {
  const check = async ({ content, ranges }: CheckRequest, signal: AbortSignal) => {
    const body = { content, ranges, documentId, store: false };
    const { data } = await bodyOf<{ data: { issues: Issue[] } | Job }>(
      api.POST('/v1/analyze', { body, signal }),
    );
    return 'issues' in data ? data.issues : [];
  };
  return new Checker({
    check,
    marks: () => session.editor.marks('issues'),
    mark: (issues) => {
      session.editor.mark(
        'issues',
        issues.map(({ key, start, end, message, original }) => ({
          id: key,
          from: start,
          to: end,
          hint: message,
          original,
        })),
      );
    },
    position: () => session.editor.topPosition(),
  });
}

/** Feeds the text of the session to the checker. Returns a function that ends this. */
function startedChecker(checker: Checker, session: DocumentSession): () => void {
  checker.start();
  const read = () => {
    checker.setText(withPlainLineBreaks(session.autosave.yours.content));
  };
  read();
  const unsubscribe = session.subscribe(read);
  const resume = () => {
    checker.resume();
  };
  window.addEventListener('online', resume);
  return () => {
    unsubscribe();
    window.removeEventListener('online', resume);
    checker.stop();
    session.editor.mark('issues', []);
  };
}

/** Returns the issue with its current position. */
export function placeNow({ editor }: DocumentSession, issue: PlacedIssue): PlacedIssue {
  const mark = editor.marks('issues').find(({ id }) => id === issue.key);
  return mark ? { ...issue, start: mark.from, end: mark.to } : issue;
}
