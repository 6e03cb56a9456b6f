{{- define "waybill.name" -}}
{{- $name := .Values.fullnameOverride | default .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- if not (regexMatch "^[a-z]" $name) -}}
{{- fail "fullnameOverride: give a name, because that of a Service must begin with a letter, unlike this release" -}}
{{- end -}}
{{ $name }}
{{- end -}}

{{/* The labels that select the pods of the service. They cannot be changed after the installation. */}}
{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end -}}

{{- define "waybill.commonLabels" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "waybill.labels" -}}
{{ include "waybill.commonLabels" . }}
app.kubernetes.io/component: service
{{- end -}}

{{- define "waybill.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "waybill.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "waybill.name" .) -}}
{{- end -}}

{{/* The keys of the Secret that are mounted, as a JSON list. */}}
{{- define "waybill.secretKeys" -}}
{{- values .Values.secrets.files | compact | uniq | sortAlpha | toJson -}}
{{- end -}}

{{/* The name of the Secret. Fails if there is none. */}}
{{- define "waybill.secret" -}}
{{- if .Values.secrets.existingSecret -}}
{{- if .Values.secrets.externalSecret.enabled -}}
{{- fail "secrets.existingSecret and secrets.externalSecret.enabled: only one of them can be set" -}}
{{- end -}}
{{ .Values.secrets.existingSecret }}
{{- else if .Values.secrets.externalSecret.enabled -}}
{{ include "waybill.name" . }}
{{- else if ne (include "waybill.secretKeys" .) "[]" -}}
{{- fail "secrets.existingSecret: name the Secret with the keys of secrets.files, or use secrets.externalSecret" -}}
{{- end -}}
{{- end -}}

{{/*
The environment: what the chart sets, the settings, and the paths of secrets. `override` has priority; null removes one.
Arguments: root, override (a map).
*/}}
{{- define "waybill.env" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $env := dict "WAYBILL_LAME_DUCK_MS" ($values.drain.lameDuckMs | int | toString) -}}
{{- if $values.metrics.enabled -}}
{{- $_ := set $env "WAYBILL_METRICS_PORT" ($values.metrics.port | int | toString) -}}
{{- $_ := set $env "WAYBILL_METRICS_HOST" "0.0.0.0" -}}
{{- end -}}
{{- range $name, $value := $values.settings -}}
{{- if and $value (hasKey $env $name) -}}
{{- fail (printf "settings.%s: the chart sets it, see drain.lameDuckMs and metrics" $name) -}}
{{- end -}}
{{- if and $value (get $values.secrets.files $name) -}}
{{- fail (printf "settings.%s: also in secrets.files" $name) -}}
{{- end -}}
{{- if $value -}}{{- $_ := set $env $name $value -}}{{- end -}}
{{- end -}}
{{- range $name, $key := $values.secrets.files -}}
{{- if $key -}}{{- $_ := set $env $name (printf "/etc/waybill/secrets/%s" $key) -}}{{- end -}}
{{- end -}}
{{- range $name, $value := .override -}}
{{- if $value -}}{{- $_ := set $env $name $value -}}{{- else -}}{{- $_ := unset $env $name -}}{{- end -}}
{{- end -}}
{{- if not (or (get $env "DATABASE_URL") (get $env "DATABASE_URL_FILE")) -}}
{{- fail "settings.DATABASE_URL: give the URL without the password, or DATABASE_URL_FILE in secrets.files" -}}
{{- end -}}
{{- range $name := keys $env | sortAlpha }}
- name: {{ $name }}
  value: {{ get $env $name | quote }}
{{- end -}}
{{- end -}}

{{/*
The values for the migration, as JSON: settings and secrets of the database only. At an upgrade that adds a secret, the
Job runs before an ExternalSecret gets the new key, so the file could not be mounted.
*/}}
{{- define "waybill.migrationValues" -}}
{{- $settings := dict -}}
{{- range $name, $value := .Values.settings -}}
{{- if regexMatch "^(DATABASE_URL|PG|NODE_|LOG_LEVEL$|WAYBILL_(POOLER|NAMED_STATEMENTS)$)" $name -}}
{{- $_ := set $settings $name $value -}}
{{- end -}}
{{- end -}}
{{- $files := pick .Values.secrets.files "DATABASE_URL_FILE" "PGPASSWORD_FILE" -}}
{{- $secrets := set (deepCopy .Values.secrets) "files" $files -}}
{{- merge (dict "settings" $settings "secrets" $secrets "metrics" (dict "enabled" false)) (omit .Values "settings" "secrets" "metrics") | toJson -}}
{{- end -}}

{{- define "waybill.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
# Mounted secrets belong to root. This group may read them.
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "waybill.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "waybill.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if ne (include "waybill.secretKeys" .) "[]" }}
- name: secrets
  mountPath: /etc/waybill/secrets
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Arguments: root, secret (a name). */}}
{{- define "waybill.volumes" -}}
- name: tmp
  emptyDir:
    medium: Memory
    sizeLimit: 64Mi
{{- with include "waybill.secretKeys" .root | fromJsonArray }}
- name: secrets
  secret:
    secretName: {{ $.secret }}
    # 0440. The service refuses a carriers' file that others can read.
    defaultMode: 288
    items:
      {{- range . }}
      - key: {{ . }}
        path: {{ . }}
      {{- end }}
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
