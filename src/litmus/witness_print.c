#include "litmus/form.h"
#include "litmus/witness.h"

/* What is wrong: "HSA, weak and strong: whatever thread 0 may do, the program does not end". */
static void print_failure(FILE *out, const struct litmus_witness *witness)
{
    const char *separator = (witness->fair & (witness->fair - 1)) != 0 ? "threads " : "thread ";

    fprintf(out, "%s, %s", litmus_model_name(witness->model),
            witness->strong ? "weak and strong: whatever " : "weak: despite repeated steps of ");
    for (unsigned thread = 0; thread < LITMUS_THREADS; ++thread)
        if ((witness->fair >> thread & 1) != 0) {
            fprintf(out, "%s%u", separator, thread);
            separator = ", ";
        }
    fputs(witness->strong ? " may do, the program does not end" : ", the program does not end", out);
}

/* --- text --- */

/* The values of the locations, and the label that each thread is at; "end" if it has ended. */
static void print_state(FILE *out, const struct litmus_space *space, uint32_t number)
{
    const struct litmus_state *state = &space->states[number];

    for (unsigned location = 0; location < LITMUS_LOCATIONS; ++location)
        fprintf(out, "%c=%u ", litmus_location_name(location), state->memory >> location & 1);
    fputs("at", out);
    for (unsigned thread = 0; thread < space->program->threads; ++thread) {
        if ((state->ended >> thread & 1) != 0)
            fputs(" end", out);
        else
            fprintf(out, " L%u", state->position[thread]);
    }
}

static void print_move(FILE *out, const struct litmus_space *space, const struct graph_move *move)
{
    const unsigned position = space->states[move->state].position[move->thread];
    char text[LITMUS_STATEMENT];

    litmus_statement(litmus_instruction(space->program, move->thread, position), position,
                     space->program->length[move->thread], text);
    fprintf(out, "#     thread %u, L%u: %-38s ", move->thread, position, text);
    print_state(out, space, litmus_space_step(space, move->state, move->thread));
    fputc('\n', out);
}

void litmus_witness_text(FILE *out, const struct litmus_space *space, const struct litmus_witness *witness)
{
    fputs("# ", out);
    print_failure(out, witness);
    fputc('\n', out);
    for (size_t i = 0; i < witness->lasso.count; ++i) {
        if (i == witness->lasso.circle)
            fputs("#   repeated forever:\n", out);
        print_move(out, space, &witness->lasso.moves[i]);
    }
}

/* --- dot --- */

/* The state is there in no move before this one. */
static bool is_new(const struct litmus_witness *witness, size_t move)
{
    for (size_t i = 0; i < move; ++i)
        if (witness->lasso.moves[i].state == witness->lasso.moves[move].state)
            return false;
    return true;
}

void litmus_witness_dot(FILE *out, const struct litmus_space *space, const struct litmus_witness *witness)
{
    const char *model = litmus_model_name(witness->model);

    fprintf(out, "    subgraph cluster_%s {\n        label = \"", model);
    print_failure(out, witness);
    fputs("\";\n", out);
    for (size_t i = 0; i < witness->lasso.count; ++i) {
        const struct graph_move *move = &witness->lasso.moves[i];
        if (is_new(witness, i)) {
            fprintf(out, "        %s_%u [label = \"", model, move->state);
            print_state(out, space, move->state);
            fputs("\"];\n", out);
        }
        fprintf(out, "        %s_%u -> %s_%u [label = \"%u\"%s];\n", model, move->state, model,
                litmus_space_step(space, move->state, move->thread), move->thread,
                i >= witness->lasso.circle ? ", style = bold" : "");
    }
    fputs("    }\n", out);
}
