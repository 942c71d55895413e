import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useAccount } from '../../api/session.js';
import { showDone, showFailure } from '../../components/messages.js';
import { loadAlone } from '../../load-part.js';
import type { ExportFormat } from './export-document.js';

const EXPORT_FORMATS = [
  ['md', 'Markdown'],
  ['html', 'HTML'],
  ['docx', 'Word'],
  ['pdf', 'PDF'],
] as const satisfies readonly (readonly [ExportFormat, string])[];

interface ExportItemsProps {
  id: string;
  title: string;
  /** Called first, to save the text. */
  before?: () => Promise<void>;
}

/** Menu items that export a document, one per format. */
export function ExportItems({ id, title, before }: ExportItemsProps) {
  const { api } = useAccount();
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) => {
      await before?.();
      const { exportDocument } = await loadAlone(() => import('./export-document.js'));
      await exportDocument(api, id, format);
    },
    onSuccess: () => {
      showDone(`${title} exported.`);
    },
    onError: showFailure,
  });
  return EXPORT_FORMATS.map(([format, name]) => (
    <Menu.Item
      key={format}
      onClick={() => {
        exporting.mutate(format);
      }}
    >
      {name}
    </Menu.Item>
  ));
}
