#include "core/workload.h"

#include "harness.h"

START_TEST(only_long_and_ulong_have_8_bytes)
{
    ck_assert_uint_eq(element_bytes(ELEMENT_UINT), 4);
    ck_assert_uint_eq(element_bytes(ELEMENT_INT), 4);
    ck_assert_uint_eq(element_bytes(ELEMENT_LONG), 8);
    ck_assert_uint_eq(element_bytes(ELEMENT_ULONG), 8);
    ck_assert_uint_eq(element_bytes(ELEMENT_FLOAT), 4);
}
END_TEST

START_TEST(elements_are_found_by_name)
{
    ck_assert_int_eq(naming_find(&element_naming, "uint"), ELEMENT_UINT);
    ck_assert_int_eq(naming_find(&element_naming, "int"), ELEMENT_INT);
    ck_assert_int_eq(naming_find(&element_naming, "long"), ELEMENT_LONG);
    ck_assert_int_eq(naming_find(&element_naming, "ulong"), ELEMENT_ULONG);
    ck_assert_int_eq(naming_find(&element_naming, "float"), ELEMENT_FLOAT);
}
END_TEST

START_TEST(fills_are_found_by_name)
{
    ck_assert_int_eq(naming_find(&fill_naming, "zero"), FILL_ZERO);
    ck_assert_int_eq(naming_find(&fill_naming, "ones"), FILL_ONES);
    ck_assert_int_eq(naming_find(&fill_naming, "index"), FILL_INDEX);
    ck_assert_int_eq(naming_find(&fill_naming, "seeded"), FILL_SEEDED);
}
END_TEST

START_TEST(operations_are_found_by_name)
{
    ck_assert_int_eq(naming_find(&operation_naming, "sum"), OPERATION_SUM);
    ck_assert_int_eq(naming_find(&operation_naming, "product"), OPERATION_PRODUCT);
    ck_assert_int_eq(naming_find(&operation_naming, "min"), OPERATION_MIN);
    ck_assert_int_eq(naming_find(&operation_naming, "max"), OPERATION_MAX);
}
END_TEST

START_TEST(other_names_are_not_found)
{
    ck_assert_int_eq(naming_find(&element_naming, "double"), -1);
    ck_assert_int_eq(naming_find(&element_naming, "Int"), -1);
    ck_assert_int_eq(naming_find(&element_naming, ""), -1);
    ck_assert_int_eq(naming_find(&fill_naming, "zeros"), -1);
    ck_assert_int_eq(naming_find(&fill_naming, ""), -1);
    ck_assert_int_eq(naming_find(&operation_naming, "su"), -1);
    ck_assert_int_eq(naming_find(&operation_naming, ""), -1);
}
END_TEST

HARNESS_MAIN("workload", only_long_and_ulong_have_8_bytes, elements_are_found_by_name, fills_are_found_by_name,
             operations_are_found_by_name, other_names_are_not_found)
