import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { dataOf } from '../../../api/client.js';
import { useAccount, useUser } from '../../../api/session.js';
import { showDone, showFailure } from '../../../components/messages.js';
import { versionTag, type Document } from '../document-types.js';
import { Autosave, type AutosaveState, type Draft } from './autosave.js';
import type { EditorHandle } from './code-mirror.js';
import { DraftKeeper, keepText, type DraftPlace } from './drafts.js';
import type { Texts } from './merge.js';

/** A request may outlive its page only with a body of less than 64 KiB: half of it in letters of two bytes. */
const OUTLIVES_PAGE = 30_000;

export interface FoundDraft {
  key: string;
  draft: Draft;
  at: string;
}

interface AutosaveOptions {
  document: Document;
  drafts: readonly FoundDraft[];
  editor: RefObject<EditorHandle | null>;
}

/** A document that is being written: its newest version, its texts, and how saving stands. */
export function useAutosave({ document, drafts, editor }: AutosaveOptions) {
  const [current, setCurrent] = useState(document);
  const [texts, setTexts] = useState<Texts>(drafts[0]?.draft.yours ?? document);
  const [state, setState] = useState<AutosaveState>({ status: 'Saved' });
  const ports = usePorts(document.id);
  // Made of the first version: later ones are heard of.
  const [autosave] = useState(
    () =>
      new Autosave<Document>(document, {
        ...ports,
        onDocument: setCurrent,
        onState: setState,
        onTexts: (shown) => {
          setTexts(shown);
          editor.current?.setText(shown.content);
        },
      }),
  );
  useRestoredDraft(autosave, document, drafts, ports);
  useEffect(() => {
    autosave.hear(document);
  }, [autosave, document]);
  useEffect(() => {
    const save = () => void autosave.save();
    autosave.resume();
    window.addEventListener('online', save);
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('online', save);
      window.removeEventListener('pagehide', save);
      autosave.leave();
    };
  }, [autosave]);
  const edit = (change: Partial<Texts>) => {
    autosave.edit(change);
    setTexts(autosave.yours);
  };
  return { autosave, current, texts, state, edit };
}

/** Goes on with the newest draft of an earlier visit; older ones of other tabs are listed in History. */
function useRestoredDraft(
  autosave: Autosave<Document>,
  document: Document,
  drafts: readonly FoundDraft[],
  { keeper, keepText: keepOther }: ReturnType<typeof usePorts>,
) {
  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) return;
    isRestored.current = true;
    const [newest, ...others] = drafts;
    if (!newest) return;
    keeper.replaces(drafts.map(({ key }) => key));
    for (const { draft } of others) keepOther(draft.yours);
    autosave.restore(newest.draft, document);
    if (autosave.isUnsaved) showDone('What you had not saved is here again.');
  }, [autosave, document, drafts, keeper, keepOther]);
}

/** What {@link Autosave} needs of the service and of the browser. */
function usePorts(documentId: string) {
  const { id: accountId, api } = useAccount();
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  // A mutation, so that an ended session is heard of.
  const { mutateAsync: send } = useMutation({
    mutationFn: (task: () => Promise<Document>) => task(),
  });
  return useMemo(() => {
    const place: DraftPlace = { userId, accountId, documentId };
    const path = { id: documentId };
    const keeper = new DraftKeeper(place, () => {
      window.onbeforeunload = (event) => {
        event.preventDefault();
      };
    });
    return {
      keeper,
      save: (changes: Partial<Texts>, version: number) =>
        send(() =>
          dataOf(
            api.PATCH('/v1/documents/{id}', {
              params: { path, header: { 'If-Match': versionTag(version) } },
              body: changes,
              keepalive: (changes.content ?? '').length < OUTLIVES_PAGE,
            }),
          ),
        ),
      load: () => send(() => dataOf(api.GET('/v1/documents/{id}', { params: { path } }))),
      keepDraft: (draft: Draft | undefined) => {
        void keeper.keep(draft);
        if (!draft) window.onbeforeunload = null;
      },
      keepText: (texts: Texts) => {
        keepText(place, texts).catch(showFailure);
      },
      onMerged: ({ version }: Document) => {
        void api
          .GET('/v1/documents/{id}/versions/{number}', {
            params: { path: { ...path, number: version } },
          })
          .then(({ data }) => data?.data.author.name)
          .catch(() => undefined)
          .then((name) => {
            const who = name === undefined ? '' : ` by ${name}`;
            showDone(`A change${who} came in: version ${String(version)}. What you wrote is kept.`);
          });
        void queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
      },
    };
  }, [accountId, api, documentId, queryClient, send, userId]);
}
