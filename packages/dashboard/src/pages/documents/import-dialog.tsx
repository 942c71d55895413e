import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { bodyOf, type V1Client } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Dialog, type CloseDialog } from '../../components/dialog.js';
import { FileZone } from '../../components/file-zone.js';
import { countOf, formatBytes } from '../../components/numbers.js';
import { capitalized } from '../../components/words.js';
import { reasonOf } from './convert-file.js';
import classes from './documents-page.module.css';
import type { Document } from './document-types.js';

interface Imported {
  file: File;
  state: 'waiting' | 'running' | 'done' | 'failed';
  id?: string;
  title?: string;
  /** Why it failed, or what was left out. */
  remarks: string[];
}

const NOT_FINISHED = {
  title: 'Stop the import?',
  sentence: "Some files haven't been imported yet.",
  stay: 'Keep importing',
  leave: 'Stop',
};

interface ImportDialogProps {
  /** Files that were dropped. */
  files: readonly File[];
  /** The folder for the documents. */
  folderId: string | undefined;
  onClose: CloseDialog;
}

/** Imports files one after the other and shows the result of each. */
export default function ImportDialog({ files, folderId, onClose }: ImportDialogProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const [imports, setImports] = useState<readonly Imported[]>([]);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const add = useCallback(
    (added: readonly File[]) => {
      for (const file of added) {
        setImports((all) => [...all, { file, state: 'waiting', remarks: [] }]);
        const set = (change: Partial<Imported>) => {
          setImports((all) => all.map((one) => (one.file === file ? { ...one, ...change } : one)));
        };
        queue.current = queue.current.then(async () => {
          if (!isOpen.current) return;
          set({ state: 'running' });
          set(await importFile(api, file, folderId));
          await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
        });
      }
    },
    [accountId, api, folderId, queryClient],
  );
  const dropped = useRef<readonly File[]>(null);
  useEffect(() => {
    if (dropped.current === files) return;
    dropped.current = files;
    add(files);
  }, [add, files]);
  const isBusy = imports.some(({ state }) => state === 'waiting' || state === 'running');
  return (
    <Dialog
      title={titleFor(imports)}
      onClose={onClose}
      isUnsaved={() => isBusy}
      question={NOT_FINISHED}
    >
      {(close) => (
        <Stack>
          <FileZone
            label="Files"
            hint="Markdown, HTML or Word (DOCX). Each file becomes a document."
            accept=".md,.markdown,.txt,.html,.htm,.docx"
            multiple
            onFiles={add}
          />
          {imports.length > 0 && (
            <ul className={classes.results} aria-label="Imported files" aria-busy={isBusy}>
              {imports.map((one, index) => (
                <ImportedFile key={index} imported={one} />
              ))}
            </ul>
          )}
          <Group justify="flex-end">
            {imports.length === 0 ? (
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
            ) : (
              <Button onClick={close} disabled={isBusy}>
                Done
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

/** Says what was imported, once all files are. */
function titleFor(imports: readonly Imported[]): string {
  const isOver = imports.every(({ state }) => state === 'done' || state === 'failed');
  const done = imports.filter(({ state }) => state === 'done').length;
  if (!isOver || done === 0) return 'Import documents';
  return `${countOf(done, 'document')} imported`;
}

const STATES = {
  waiting: 'Waiting',
  running: 'Importing…',
  done: 'Imported',
  failed: 'Not imported',
} as const;

function ImportedFile({ imported: { file, state, id, title, remarks } }: { imported: Imported }) {
  return (
    <li>
      {id === undefined ? (
        file.name
      ) : (
        <AppLink
          to="/{-$accountId}/documents/$documentId"
          params={((previous: object) => ({ ...previous, documentId: id })) as never}
        >
          {title}
        </AppLink>
      )}{' '}
      <Text span size="sm" c={state === 'failed' ? 'red' : 'dimmed'}>
        {STATES[state]}, {formatBytes(file.size)}
      </Text>
      {remarks.map((remark) => (
        <Text key={remark} size="sm">
          {remark}
        </Text>
      ))}
    </li>
  );
}

/** Imports a file. The service decides by its name and content; browsers name other types. */
async function importFile(
  api: V1Client,
  file: File,
  folderId: string | undefined,
): Promise<Partial<Imported>> {
  const form = new FormData();
  if (folderId !== undefined) form.append('collectionId', folderId);
  // A .txt file is Markdown without marks.
  if (/\.txt$/i.test(file.name)) form.append('format', 'md');
  form.append('file', file);
  try {
    const { data, meta } = await bodyOf(
      api.POST('/v1/documents/import', {
        body: { file: '' },
        bodySerializer: () => form,
      }),
    );
    const { id, title } = data as Document;
    const remarks = (meta.warnings ?? []).map(({ issue }) => capitalized(issue));
    return { state: 'done', id, title, remarks };
  } catch (error) {
    return { state: 'failed', remarks: [reasonOf(error)] };
  }
}
