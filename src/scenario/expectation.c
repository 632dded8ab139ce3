#include "scenario/expectation.h"

#include "core/block.h"

#include <stdio.h>
#include <string.h>

enum { CLAUSE_BYTES = 512 };

enum truth { TRUE, FALSE, UNKNOWN };

/* Takes blanks off both ends. */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    for (size_t end = strlen(text); end > 0 && strchr(" \t", text[end - 1]) != NULL; --end)
        text[end - 1] = '\0';
    return text;
}

/* Cuts *text at the next `separator`, which stands between blanks unless it is a single sign; NULL at the end. */
static char *cut(char **text, const char *separator)
{
    char *begin = *text;
    if (begin == NULL)
        return NULL;
    char *found = strstr(begin, separator);
    *text = found != NULL ? found + strlen(separator) : NULL;
    if (found != NULL)
        *found = '\0';
    return trim(begin);
}

/* The operator in `text`, its length, and where it stands. */
static const char *find_operator(const char *text, size_t *length)
{
    const char *at = strpbrk(text, "<>=!");
    if (at == NULL)
        return NULL;
    *length = at[1] == '=' ? 2 : 1;
    return at[0] == '!' && *length == 1 ? NULL : at;
}

static bool compare(int64_t a, const char *comparison, int64_t b)
{
    if (comparison[0] == '<')
        return comparison[1] == '=' ? a <= b : a < b;
    if (comparison[0] == '>')
        return comparison[1] == '=' ? a >= b : a > b;
    return comparison[0] == '!' ? a != b : a == b;
}

/* "progress >= [LEVEL:]MODEL": is it one of those that are kept? */
static int decide_progress(const char *comparison, const char *asked, const struct models_kept *kept, enum truth *truth,
                           struct error *error)
{
    const struct naming models = NAMING("hsa", "obe", "hsa_obe", "lobe", "fair"); /* as in enum litmus_model */
    const char *model = asked;
    const model_set known = kept->of[level_take(&model)];
    const int found = naming_find(&models, model);
    char names[64];

    naming_print(&models, names, sizeof names);
    if (found < 0 || strcmp(comparison, ">=") != 0)
        return error_set(error, STATUS_USAGE,
                         "progress %s %.40s: expected progress >= %s, with a level before it if not of groups",
                         comparison, asked, names);
    *truth = known == 0 ? UNKNOWN : (known >> found & 1) != 0 ? TRUE : FALSE;
    return 0;
}

/* One comparison. */
static int decide(char *text, const struct circumstances *circumstances, enum truth *truth, struct error *error)
{
    int64_t left = 0, right = 0;
    size_t length = 0;
    char comparison[3] = {0};
    const char *at = find_operator(text, &length);

    if (at == NULL)
        return error_set(error, STATUS_USAGE,
                         "cannot parse the condition '%.60s': expected NAME, one of <= < >= > = !=, and a value", text);
    memcpy(comparison, at, length);
    char *value = trim(text + (at - text) + length);
    text[at - text] = '\0';
    char *name = trim(text);
    if (strcmp(name, "progress") == 0)
        return decide_progress(comparison, value, &circumstances->kept, truth, error);
    for (size_t i = 0; i < circumstances->word_count; ++i) {
        if (strcmp(circumstances->words[i].name, name) != 0)
            continue;
        if (strcmp(comparison, "=") != 0 && strcmp(comparison, "!=") != 0)
            return error_set(error, STATUS_USAGE, "%s is a word, which only = and != can compare", name);
        const bool same = strcmp(circumstances->words[i].value, value) == 0;
        *truth = same == (comparison[0] == '=') ? TRUE : FALSE;
        return 0;
    }
    const int first = expression_evaluate(name, &circumstances->numbers, &left, error);
    const int second = first < 0 ? -1 : expression_evaluate(value, &circumstances->numbers, &right, error);
    if (second < 0)
        return -1;
    *truth = first > 0 || second > 0 ? UNKNOWN : compare(left, comparison, right) ? TRUE : FALSE;
    return 0;
}

static int decide_all(char *text, const struct circumstances *circumstances, enum truth *truth, struct error *error)
{
    char *condition;
    *truth = TRUE;
    while ((condition = cut(&text, " and ")) != NULL) {
        enum truth one = UNKNOWN;
        if (decide(condition, circumstances, &one, error) != 0)
            return -1;
        if (*truth != FALSE && one != TRUE)
            *truth = one;
    }
    return 0;
}

/* Cuts the condition off a clause, and decides it. What is left is the head. */
static int cut_condition(char **clause, const struct circumstances *circumstances, enum truth *truth,
                         struct error *error)
{
    static const char otherwise[] = " otherwise";
    const size_t length = strlen(*clause);
    char *when = strstr(*clause, " when ");

    *truth = TRUE;
    if (when != NULL) {
        *when = '\0';
        if (decide_all(when + strlen(" when "), circumstances, truth, error) != 0)
            return -1;
    } else if (length > strlen(otherwise) && strcmp(*clause + length - strlen(otherwise), otherwise) == 0) {
        (*clause)[length - strlen(otherwise)] = '\0';
    }
    *clause = trim(*clause);
    return 0;
}

/* Takes each clause of a rule in turn, whose condition is decided: -1 if its head cannot be read. */
typedef int clause_taker(void *context, const char *head, enum truth truth, struct error *error);

static int each_clause(const char *rule, const struct circumstances *circumstances, clause_taker *take, void *context,
                       struct error *error)
{
    char copy[CLAUSE_BYTES];
    char *rest = copy;
    char *clause;

    if (snprintf(copy, sizeof copy, "%s", rule) >= (int)sizeof copy)
        return error_set(error, STATUS_USAGE, "the rule is longer than %d bytes", CLAUSE_BYTES - 1);
    while ((clause = cut(&rest, ";")) != NULL) {
        enum truth truth;
        if (clause[0] == '\0')
            continue;
        if (cut_condition(&clause, circumstances, &truth, error) != 0 || take(context, clause, truth, error) != 0)
            return -1;
    }
    return 0;
}

struct set_rule {
    const struct naming *naming;
    struct ruling *ruling;
    bool doubtful; /* a clause before might apply, and would hide the present one */
};

/* Behind a clause that applies, heads are only checked. */
static int take_set(void *context, const char *head, enum truth truth, struct error *error)
{
    struct set_rule *rule = context;
    struct ruling *ruling = rule->ruling;
    uint32_t set;

    if (naming_parse_set(rule->naming, head, &set, error) != 0)
        return -1;
    if (!ruling->open || truth == FALSE)
        return 0;
    ruling->possible |= set;
    ruling->open = truth != TRUE;
    if (truth == TRUE && !rule->doubtful)
        ruling->expected = set;
    rule->doubtful = true;
    return 0;
}

int expectation_evaluate(const char *rule, const struct circumstances *circumstances, const struct naming *naming,
                         struct ruling *ruling, struct error *error)
{
    struct set_rule sets = {.naming = naming, .ruling = ruling};

    *ruling = (struct ruling){.open = true};
    return each_clause(rule, circumstances, take_set, &sets, error);
}

int expectation_is_met(const char *condition, const struct circumstances *circumstances, bool *met, struct error *error)
{
    char copy[CLAUSE_BYTES];
    enum truth truth;

    if (snprintf(copy, sizeof copy, "%s", condition) >= (int)sizeof copy)
        return error_set(error, STATUS_USAGE, "the condition is longer than %d bytes", CLAUSE_BYTES - 1);
    if (decide_all(copy, circumstances, &truth, error) != 0)
        return -1;
    *met = truth == TRUE;
    return 0;
}

struct rate_rule {
    struct whole *expected;
    bool decided; /* a clause before applies, or might */
};

static int take_rate(void *context, const char *head, enum truth truth, struct error *error)
{
    struct rate_rule *rule = context;
    struct whole checked;

    if (whole_parse_rate(head, !rule->decided && truth == TRUE ? rule->expected : &checked, error) != 0)
        return -1;
    rule->decided = rule->decided || truth != FALSE;
    return 0;
}

int expectation_evaluate_rate(const char *rule, const struct circumstances *circumstances, struct whole *expected,
                              struct error *error)
{
    struct rate_rule rate = {.expected = expected};

    return each_clause(rule, circumstances, take_rate, &rate, error);
}
