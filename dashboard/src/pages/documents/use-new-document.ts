import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure, Failure } from '../../api/failure.js';
import { useAccount, useUser } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import type { Document, DocumentType } from './document-types.js';
import { REST, type AutosaveState } from './editor/autosave.js';
import { DraftKeeper, readDrafts, type DraftPlace } from './editor/drafts.js';
import { sameTexts, type Texts } from './editor/merge.js';

interface NewDocumentOptions {
  template: components['schemas']['Template'] | undefined;
  /** What the variables of the template are filled with. */
  values: Readonly<Record<string, string>>;
  /** Undefined takes that of the template. */
  type: DocumentType | undefined;
  disabled: boolean;
}

const EMPTY: Texts = { title: '', content: '' };

/**
 * A document that is not there yet. Its draft is kept in the browser at once. As soon as it has a title and some text, it is
 * created after a rest, and goes on as a document; one from a template is created when that is asked for.
 */
export function useNewDocument({ template, values, type, disabled }: NewDocumentOptions) {
  const { id: accountId, api } = useAccount();
  const { id: userId } = useUser();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const place = useMemo<DraftPlace>(
    () => ({ userId, accountId, documentId: 'new' }),
    [accountId, userId],
  );
  const keeper = useMemo(() => new DraftKeeper(place), [place]);
  const [texts, setTexts] = useState(EMPTY);
  const [state, setState] = useState<AutosaveState>({ status: 'Not saved' });
  const [found, setFound] = useState(false);
  const newest = useRef(texts);
  const isCreating = useRef(false);
  // A lost answer must not make two documents of one.
  const requestKey = useRef<{ key: string; body: string }>(null);

  useEffect(() => {
    let gone = false;
    void readDrafts(place).then(([draft, ...others]) => {
      if (gone) return;
      if (draft && sameTexts(newest.current, EMPTY)) {
        newest.current = draft.draft.yours;
        setTexts(draft.draft.yours);
      }
      keeper.replaces([draft, ...others].flatMap((one) => one?.key ?? []));
      setFound(true);
    });
    return () => {
      gone = true;
    };
  }, [keeper, place]);

  const edit = (change: Partial<Texts>) => {
    newest.current = { ...newest.current, ...change };
    setTexts(newest.current);
    const isEmpty = sameTexts(newest.current, EMPTY);
    const base = { ...EMPTY, version: 0 };
    void keeper.keep(isEmpty ? undefined : { base, yours: newest.current, sent: [] });
  };

  const create = useCallback(async () => {
    if (disabled || isCreating.current) return;
    const sent = newest.current;
    if (sent.title.trim() === '' && template?.title == null) {
      setState({ status: 'Not saved', failure: titleMissing() });
      return;
    }
    isCreating.current = true;
    setState({ status: 'Saving…' });
    const body = {
      ...(sent.title.trim() !== '' && { title: sent.title }),
      ...(template
        ? { templateId: template.id, templateVariables: values }
        : { content: sent.content }),
      ...(type && { type }),
    };
    try {
      const text = JSON.stringify(body);
      if (requestKey.current?.body !== text)
        requestKey.current = { key: crypto.randomUUID(), body: text };
      const document = await dataOf(
        api.POST('/v1/documents', {
          params: { header: { 'Idempotency-Key': requestKey.current.key } },
          body,
        }),
      );
      await handOver({ ...place, documentId: document.id }, document, sent, newest.current);
      void keeper.keep(undefined);
      void queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
      await navigate({
        to: '/{-$accountId}/documents/$documentId',
        params: { accountId, documentId: document.id },
        replace: true,
        ignoreBlocker: true,
      });
    } catch (error) {
      setState({ status: 'Not saved', failure: asFailure(error) });
    } finally {
      isCreating.current = false;
    }
  }, [accountId, api, disabled, keeper, navigate, place, queryClient, template, type, values]);

  // A blank document with a title and a text begins by itself.
  const isReady = !template && texts.title.trim() !== '' && texts.content.trim() !== '';
  useEffect(() => {
    if (!isReady) return undefined;
    const timer = setTimeout(() => void create(), REST);
    return () => {
      clearTimeout(timer);
    };
  }, [create, isReady, texts]);
  useHotkeys([['mod+S', () => void create()]], [], true);
  return { texts, state, edit, create, found };
}

/** What was typed while the document was made goes on as its draft. */
async function handOver(
  place: DraftPlace,
  document: Document,
  sent: Texts,
  yours: Texts,
): Promise<void> {
  if (sameTexts(sent, yours)) return;
  const { title, content, version } = document;
  const keeper = new DraftKeeper(place);
  await keeper.keep({ base: { title, content, version }, yours, sent: [] });
}

function titleMissing(): Failure {
  return new Failure('A document needs a title.', 400, {
    details: { field: 'title', issue: 'Give it a title.' },
  });
}
