"""Creates COUNT documents, and prints their IDs: write.py COUNT"""

from __future__ import annotations

import sys
import time

from document_service import DocumentService

client = DocumentService(timeout=5, max_retries=30)
for number in range(int(sys.argv[1])):
    print(client.documents.create({"title": f"Document {number}"})["id"], flush=True)
    time.sleep(0.05)
