/* The rows of the command table; each is defined beside its handler in cmd_<name>.c. */
#ifndef WRIT_CLI_HANDLERS_H
#define WRIT_CLI_HANDLERS_H

#include "cli/command.h"

extern const struct cli_command cli_command_list, cli_command_show, cli_command_run, cli_command_test, cli_command_lint,
    cli_command_trust, cli_command_doctor, cli_command_audit, cli_command_audit_verify, cli_command_schema_check,
    cli_command_config_list, cli_command_config_get, cli_command_config_set, cli_command_config_unset,
    cli_command_complete, cli_command_completion, cli_command_help, cli_command_version, cli_command_init;

#endif
