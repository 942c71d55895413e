import { readFileSync } from 'node:fs';
import { confusedWords } from '@document-service/text-analysis/english/confused-words';
import {
  languageModel,
  type LanguageModel,
} from '@document-service/text-analysis/english/language-model';
import { wordOrderOf } from '@document-service/text-analysis/english/word-order';
import { WordSequence } from '@document-service/text-analysis/english/word-sequence';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import { English } from '@document-service/text-analysis/english/english';
import { englishFrequencies } from '@document-service/text-analysis/spelling/english-frequencies';
import {
  judgedReplacements,
  type LogProbability,
  probabilityOfMistake,
} from '@document-service/text-analysis/spelling/english-judgement';
import { readingOf, type Reading } from '@document-service/text-analysis/text/reading';
import { sentencesOfText } from '@document-service/text-analysis/text/text-parts';
import { CORPUS, type Half, percent, pseudoRandom, readmes } from './english.js';
