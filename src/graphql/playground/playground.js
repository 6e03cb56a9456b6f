/** Starts GraphiQL with the tabs and credentials that the page was rendered with. Plain script: no build. */
{
  const { React, ReactDOM, GraphiQL } = window
  const { credentials, examples } = JSON.parse(document.getElementById('settings').textContent)
  const headers = JSON.stringify({ 'X-PP-API': credentials }, null, 2)

  // GraphiQL takes the first tab's variables from the browser's storage only, so on a first visit they go there.
  const { localStorage } = window
  if (localStorage.getItem('graphiql:tabState') === null)
    localStorage.setItem('graphiql:variables', JSON.stringify(examples[0].variables, null, 2))

  // The history holds headers whatever `shouldPersistHeaders` says: it lasts as long as the page.
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
    fetcher: GraphiQL.createFetcher({ url: window.location.pathname }),
    defaultTabs: examples.map(({ query, variables }) => ({
      query,
      variables: JSON.stringify(variables, null, 2),
      headers,
    })),
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'variables',
    // Secrets are not for the browser's storage: after a reload the headers are as they were at first.
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
  }
  ReactDOM.createRoot(document.getElementById('playground')).render(React.createElement(GraphiQL, props))
}
