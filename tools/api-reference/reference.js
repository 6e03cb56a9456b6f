/** The script of the page: shows the OpenAPI document, whose requests can be tried with the given credentials. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'

// Swagger UI has a dark style, and shows it if the root has this class.
const dark = matchMedia('(prefers-color-scheme: dark)')
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showScheme)
showScheme()

const { documentUrl, credentials } = JSON.parse(document.getElementById('settings').textContent)

const reference = SwaggerUI({
  domNode: document.getElementById('reference'),
  url: documentUrl,
  deepLinking: true,
  tryItOutEnabled: true,
  supportedSubmitMethods: ['post'],
  defaultModelsExpandDepth: 0,
  // The numbers of the default are too dark to be read.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // Otherwise it sends the document to a service of its authors, and shows what that answers.
  validatorUrl: null,
  onComplete: () => {
    if (credentials !== undefined) reference.preauthorizeApiKey('ApiKey', credentials)
  },
})
