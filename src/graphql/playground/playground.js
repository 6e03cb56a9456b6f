/** The script of the playground page: GraphiQL with the tabs and credentials of the page's settings. */
import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/graphiql.css'
import './playground.css'

const { credentials, examples } = JSON.parse(document.getElementById('settings').textContent)
const headers = JSON.stringify({ 'X-PP-API': credentials }, null, 2)

// GraphiQL reads the first tab's variables only from the browser's storage, so store them on the first visit.
const { localStorage } = window
if (localStorage.getItem('graphiql:tabState') === null)
  localStorage.setItem('graphiql:variables', JSON.stringify(examples[0].variables, null, 2))

// The query history contains headers even without `shouldPersistHeaders`, so it is never stored.
const HISTORY = ['graphiql:queries', 'graphiql:favorites']
const storage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => {
    if (!HISTORY.includes(key)) localStorage.setItem(key, value)
  },
  removeItem: (key) => localStorage.removeItem(key),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length
  },
}

const props = {
  storage,
  fetcher: createGraphiQLFetcher({ url: window.location.pathname }),
  defaultTabs: examples.map(({ query, variables }) => ({
    query,
    variables: JSON.stringify(variables, null, 2),
    headers,
  })),
  defaultHeaders: headers,
  defaultEditorToolsVisibility: 'variables',
  // Secrets must not reach the browser's storage. After a reload, the headers have their initial value again.
  shouldPersistHeaders: false,
  showPersistHeadersSettings: false,
}
createRoot(document.getElementById('playground')).render(createElement(GraphiQL, props))
