(model) @local.scope
(definition) @local.scope

(binding name: (identifier) @local.definition.constant)
(type name: (identifier) @local.definition.type)
(definition name: (identifier) @local.definition.function)
(parameters name: (identifier) @local.definition.parameter)
(variable name: (identifier) @local.definition.var)
(action name: (identifier) @local.definition.method)
(plan name: (identifier) @local.definition.type)
(observer name: (identifier) @local.definition.type)

(reference name: (identifier) @local.reference)
(call name: (identifier) @local.reference)
(reference_argument (identifier) @local.reference)
(type_name (identifier) @local.reference)
(assignment variable: (identifier) @local.reference)
(act action: (identifier) @local.reference)
