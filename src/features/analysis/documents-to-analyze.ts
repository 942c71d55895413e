import type { Config } from '../../platform/config/config.js';
import type { Database } from '../../platform/database/database.js';
import { DocumentsRepository } from '../documents/documents.repository.js';
import { DocumentVersions } from '../documents/versions/document-versions.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { AccountRulesService, type AccountAnalysis } from './account-rules.service.js';
import { AnalysisRepository } from './analysis.repository.js';
import type { AnalysisRequest } from '@document-service/text-analysis/analysis-request';

/** A version of a document, with what its account says of its words and of who looks at it. */
export interface DocumentToAnalyze {
  account: AccountAnalysis;
  text: Pick<AnalysisRequest, 'accountId' | 'content' | 'format' | 'rules' | 'dismissed'>;
}

/** Reads what jobs need to look at a document. */
export class DocumentsToAnalyze {
  private readonly documents: DocumentsRepository;
  private readonly versions: DocumentVersions;
  private readonly analyses: AnalysisRepository;
  private readonly accounts: AccountRulesService;

  constructor(database: Database, config: Config) {
    this.documents = new DocumentsRepository(database);
    this.versions = new DocumentVersions(database);
    this.analyses = new AnalysisRepository(database);
    this.accounts = new AccountRulesService(database, config);
  }

  /** Throws `not_found`, also for a document in the trash: it has versions too, which nobody may read. */
  async read(accountId: string, documentId: string, number: number): Promise<DocumentToAnalyze> {
    const document = await this.documents.find(accountId, documentId);
    const version = document && (await this.versions.find({ accountId, id: documentId }, number));
    if (!version) throw notFound('document');
    const account = await this.accounts.of(accountId);
    const dismissed = await this.analyses.dismissed(accountId, documentId);
    const { content } = version;
    const { rules } = account;
    return { account, text: { accountId, content, format: 'markdown', rules, dismissed } };
  }
}
