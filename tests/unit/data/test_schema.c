/* Every keyword of JSON Schema 2020-12 with what it takes and refuses, and both pointers of each fault.  Proves the
 * schema part of S4.1 without the public suite. */
#include "schema_case.h"

static void types_and_listed_values(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"true", "1", NULL},
        {"{}", "null", NULL},
        {"false", "1", ". . false"},
        {"{\"properties\":{\"a\":{\"not\":{}}}}", "{\"a\":1}", "/a /properties/a/not not"},
        {"{\"type\":\"null\"}", "null", NULL},
        {"{\"type\":\"null\"}", "0", ". /type type"},
        {"{\"type\":\"boolean\"}", "false", NULL},
        {"{\"type\":\"boolean\"}", "\"false\"", ". /type type"},
        {"{\"type\":\"integer\"}", "1.0", NULL},
        {"{\"type\":\"integer\"}", "1e3", NULL},
        {"{\"type\":\"integer\"}", "1.5", ". /type type"},
        {"{\"type\":\"integer\"}", "123456789012345678901234567890", NULL},
        {"{\"type\":\"number\"}", "1.5", NULL},
        {"{\"type\":\"number\"}", "\"1\"", ". /type type"},
        {"{\"type\":\"string\"}", "\"\"", NULL},
        {"{\"type\":\"string\"}", "[]", ". /type type"},
        {"{\"type\":\"array\"}", "[]", NULL},
        {"{\"type\":\"array\"}", "{}", ". /type type"},
        {"{\"type\":\"object\"}", "{}", NULL},
        {"{\"type\":\"object\"}", "[]", ". /type type"},
        {"{\"type\":[\"integer\",\"string\"]}", "1", NULL},
        {"{\"type\":[\"integer\",\"string\"]}", "1.5", ". /type type"},
        {"{\"type\":[\"integer\",\"number\"]}", "1.5", NULL},
        {"{\"allOf\":[{\"type\":\"number\"},{\"type\":\"integer\"}]}", "1.5", ". /allOf/1/type type"},
        {"{\"enum\":[\"a\",\"b\",\"a\"]}", "\"b\"", NULL},
        {"{\"enum\":[\"a\",\"b\"]}", "\"c\"", ". /enum enum"},
        {"{\"enum\":[]}", "1", ". /enum enum"},
        {"{\"enum\":[1,{\"a\":[1,2.0]},null]}", "{\"a\":[1.0,2]}", NULL},
        {"{\"enum\":[1,{\"a\":[1,2]},null]}", "{\"a\":[2,1]}", ". /enum enum"},
        {"{\"enum\":[true,null]}", "true", NULL},
        {"{\"enum\":[true,null]}", "false", ". /enum enum"},
        {"{\"type\":\"string\",\"enum\":[1,\"a\"]}", "1", ". /type type"},
        {"{\"type\":\"integer\",\"enum\":[1.5,\"a\"]}", "1.5", ". /type type"},
        {"{\"allOf\":[{\"enum\":[\"a\",true]},{\"enum\":[true]}]}", "true", NULL},
        {"{\"allOf\":[{\"enum\":[\"a\",true]},{\"enum\":[true]}]}", "\"a\"", ". /allOf/1/enum enum"},
        {"{\"allOf\":[{\"enum\":[\"a\",\"b\"]},{\"enum\":[\"b\",\"c\"]}]}", "\"a\"", ". /allOf/1/enum enum"},
        {"{\"allOf\":[{\"enum\":[\"a\",\"b\"]},{\"enum\":[\"b\",\"c\"]}]}", "\"b\"", NULL},
        {"{\"const\":1}", "1.0", NULL},
        {"{\"const\":1}", "true", ". /const const"},
        {"{\"const\":false}", "0", ". /const const"},
        {"{\"const\":{\"a\":1,\"b\":2}}", "{\"b\":2,\"a\":1}", NULL},
        {"{\"const\":\"a\"}", "\"a\"", NULL},
        {"{\"const\":10000000000000000000000}", "1e22", NULL},
        {"{\"const\":[1]}", "[1,1]", ". /const const"},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void numbers(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"minimum\":3}", "3", NULL},
        {"{\"minimum\":3}", "2.999", ". /minimum minimum"},
        {"{\"minimum\":3}", "\"a\"", NULL},
        {"{\"minimum\":-2.5}", "-2", NULL},
        {"{\"minimum\":-2.5}", "-3", ". /minimum minimum"},
        {"{\"minimum\":1e400}", "5", ". /minimum minimum"},
        {"{\"minimum\":-1e400}", "5", NULL},
        {"{\"maximum\":1e400}", "9223372036854775807", NULL},
        {"{\"maximum\":-1e400}", "-9223372036854775808", ". /maximum maximum"},
        {"{\"maximum\":9223372036854775807}", "9223372036854775808", ". /maximum maximum"},
        {"{\"maximum\":3.5}", "3", NULL},
        {"{\"maximum\":3.5}", "4", ". /maximum maximum"},
        {"{\"exclusiveMinimum\":3}", "3.0001", NULL},
        {"{\"exclusiveMinimum\":3}", "3", ". /exclusiveMinimum exclusiveMinimum"},
        {"{\"exclusiveMinimum\":9223372036854775807}", "9223372036854775807", ". /exclusiveMinimum exclusiveMinimum"},
        {"{\"exclusiveMaximum\":3}", "2", NULL},
        {"{\"exclusiveMaximum\":3}", "3.0", ". /exclusiveMaximum exclusiveMaximum"},
        {"{\"exclusiveMaximum\":-9223372036854775808}", "-9223372036854775808", ". /exclusiveMaximum exclusiveMaximum"},
        {"{\"type\":\"integer\",\"minimum\":1,\"maximum\":10}", "11", ". /maximum maximum"},
        {"{\"type\":\"integer\",\"minimum\":1,\"maximum\":10}", "10.0", NULL},
        {"{\"multipleOf\":0.01}", "0.07", NULL},
        {"{\"multipleOf\":0.01}", "0.075", ". /multipleOf multipleOf"},
        {"{\"multipleOf\":3,\"maximum\":10}", "9", NULL},
        {"{\"multipleOf\":3,\"maximum\":10}", "10", ". /multipleOf multipleOf"},
        {"{\"multipleOf\":3,\"maximum\":10}", "13", ". /multipleOf multipleOf; . /maximum maximum"},
        {"{\"allOf\":[{\"minimum\":1},{\"minimum\":5}]}", "3", ". /allOf/1/minimum minimum"},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void strings(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"minLength\":2}", "\"ab\"", NULL},
        {"{\"minLength\":2}", "\"a\"", ". /minLength minLength"},
        {"{\"minLength\":2}", "1", NULL},
        {"{\"maxLength\":2}", "\"ab\"", NULL},
        {"{\"maxLength\":2}", "\"abc\"", ". /maxLength maxLength"},
        {"{\"maxLength\":2}", "\"文本\"", NULL},
        {"{\"maxLength\":2}", "\"文本提\"", ". /maxLength maxLength"},
        {"{\"minLength\":2}", "\"文\"", ". /minLength minLength"},
        {"{\"minLength\":2.0,\"maxLength\":2}", "\"😀😀\"", NULL},
        {"{\"maxLength\":99999999999999999999}", "\"a\"", NULL},
        {"{\"minLength\":99999999999999999999}", "\"a\"", ". /minLength minLength"},
        {"{\"pattern\":\"^a+$\"}", "\"aaa\"", NULL},
        {"{\"pattern\":\"^a+$\"}", "\"ab\"", ". /pattern pattern"},
        {"{\"pattern\":\"b\"}", "\"abc\"", NULL},
        {"{\"pattern\":\"^a+$\"}", "12", NULL},
        {"{\"pattern\":\"(?=.*1)(?=.*2)\"}", "\"a2b1\"", NULL},
        {"{\"pattern\":\"(?=.*1)(?=.*2)\"}", "\"a2b\"", ". /pattern pattern"},
        {"{\"allOf\":[{\"pattern\":\"a\"},{\"pattern\":\"b\",\"minLength\":3}]}", "\"ab\"",
         ". /allOf/1/minLength minLength"},
        {"{\"allOf\":[{\"pattern\":\"a\"},{\"pattern\":\"b\"}]}", "\"acc\"", ". /allOf/1/pattern pattern"},
        {"{\"contentEncoding\":\"base64\",\"contentMediaType\":\"application/"
         "json\",\"contentSchema\":{\"type\":\"null\"}}",
         "\"!\"", NULL},
        {"{\"title\":\"t\",\"description\":\"d\",\"default\":1,\"deprecated\":true,\"readOnly\":true,\"writeOnly\":"
         "false,"
         "\"examples\":[1],\"$comment\":\"c\"}",
         "\"x\"", NULL},
        {"{\"format\":\"date\"}", "\"x\"", NULL},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void arrays(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"items\":{\"type\":\"integer\"}}", "[1,2]", NULL},
        {"{\"items\":{\"type\":\"integer\"}}", "[1,\"a\",2,\"b\"]", "/1 /items/type type; /3 /items/type type"},
        {"{\"items\":false}", "[]", NULL},
        {"{\"items\":false}", "[1]", "/0 /items items"},
        {"{\"prefixItems\":[{\"type\":\"string\"},true],\"items\":{\"type\":\"null\"}}", "[\"a\",1,null]", NULL},
        {"{\"prefixItems\":[{\"type\":\"string\"},true],\"items\":{\"type\":\"null\"}}", "[1,1,1]",
         "/0 /prefixItems/0/type type; /2 /items/type type"},
        {"{\"prefixItems\":[true,false]}", "[1]", NULL},
        {"{\"prefixItems\":[true,false]}", "[1,2]", "/1 /prefixItems prefixItems"},
        {"{\"minItems\":1,\"maxItems\":2}", "[]", ". /minItems minItems"},
        {"{\"minItems\":1,\"maxItems\":2}", "[1,2]", NULL},
        {"{\"minItems\":1,\"maxItems\":2}", "[1,2,3]", ". /maxItems maxItems"},
        {"{\"minItems\":1}", "{}", NULL},
        {"{\"uniqueItems\":true}", "[1,\"1\",true,null,[1],{\"a\":1}]", NULL},
        {"{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},3,{\"b\":2,\"a\":1}]", ". /uniqueItems uniqueItems"},
        {"{\"uniqueItems\":true}", "[1,2,1.0]", ". /uniqueItems uniqueItems"},
        {"{\"uniqueItems\":false}", "[1,1]", NULL},
        {"{\"contains\":{\"type\":\"integer\"}}", "[\"a\",1]", NULL},
        {"{\"contains\":{\"type\":\"integer\"}}", "[\"a\"]", ". /contains contains"},
        {"{\"contains\":true}", "[]", ". /contains contains"},
        {"{\"contains\":{\"type\":\"integer\"},\"minContains\":0}", "[]", NULL},
        {"{\"contains\":{\"type\":\"integer\"},\"minContains\":2}", "[1,\"a\"]", ". /contains contains"},
        {"{\"contains\":{\"type\":\"integer\"},\"maxContains\":1}", "[1,\"a\",2]", ". /maxContains maxContains"},
        {"{\"minContains\":5,\"maxContains\":0}", "[1]", NULL},
        {"{\"allOf\":[{\"items\":{\"minimum\":1}},{\"items\":{\"maximum\":3}}]}", "[0,4]",
         "/0 /allOf/0/items/minimum minimum; /1 /allOf/1/items/maximum maximum"},
        {"{\"unevaluatedItems\":false}", "[]", NULL},
        {"{\"unevaluatedItems\":false}", "[1]", "/0 /unevaluatedItems unevaluatedItems"},
        {"{\"prefixItems\":[true],\"unevaluatedItems\":{\"type\":\"null\"}}", "[1,null,2]",
         "/2 /unevaluatedItems/type type"},
        {"{\"items\":true,\"unevaluatedItems\":false}", "[1]", NULL},
        {"{\"contains\":{\"type\":\"string\"},\"unevaluatedItems\":false}", "[\"a\",\"b\"]", NULL},
        {"{\"contains\":{\"type\":\"string\"},\"unevaluatedItems\":false}", "[\"a\",1]",
         "/1 /unevaluatedItems unevaluatedItems"},
        {"{\"anyOf\":[{\"prefixItems\":[{\"const\":1}]},{\"prefixItems\":[true,{\"const\":2}]}],\"unevaluatedItems\":"
         "false}",
         "[1]", NULL},
        {"{\"anyOf\":[{\"prefixItems\":[{\"const\":1}]},{\"prefixItems\":[true,{\"const\":2}]}],\"unevaluatedItems\":"
         "false}",
         "[1,3]", "/1 /unevaluatedItems unevaluatedItems"},
        {"{\"anyOf\":[{\"prefixItems\":[{\"const\":1}]},{\"prefixItems\":[true,{\"const\":2}]}],\"unevaluatedItems\":"
         "false}",
         "[5,2]", NULL},
        {"{\"allOf\":[{\"prefixItems\":[true]}],\"prefixItems\":[true,true],\"unevaluatedItems\":false}", "[1,2]",
         NULL},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void objects(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"a\":1,\"b\":\"x\"}", NULL},
        {"{\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"a\":\"x\"}", "/a /properties/a/type type"},
        {"{\"properties\":{\"a\":false}}", "{\"a\":1}", "/a /properties properties"},
        {"{\"properties\":{\"a/b\":{\"type\":\"null\"},\"~\":{\"type\":\"null\"}}}", "{\"a/b\":1,\"~\":1}",
         "/a~1b /properties/a~1b/type type; /~0 /properties/~0/type type"},
        {"{\"properties\":{\"a\":true}}", "[1]", NULL},
        {"{\"patternProperties\":{\"^a\":{\"type\":\"null\"},\"b$\":{\"minimum\":3}}}", "{\"ab\":null,\"b\":4}", NULL},
        {"{\"patternProperties\":{\"^a\":{\"type\":\"null\"},\"b$\":{\"minimum\":3}}}", "{\"ab\":2,\"xb\":1}",
         "/ab /patternProperties/^a/type type; /ab /patternProperties/b$/minimum minimum; "
         "/xb /patternProperties/b$/minimum minimum"},
        {"{\"patternProperties\":{\"^x-\":false}}", "{\"x-a\":1}", "/x-a /patternProperties patternProperties"},
        {"{\"properties\":{\"a\":true},\"additionalProperties\":false}", "{\"a\":1}", NULL},
        {"{\"properties\":{\"a\":true},\"additionalProperties\":false}", "{\"b\":1,\"c\":1}",
         "/b /additionalProperties additionalProperties; /c /additionalProperties additionalProperties"},
        {"{\"patternProperties\":{\"^a\":true},\"additionalProperties\":{\"type\":\"null\"}}", "{\"aa\":1,\"b\":null}",
         NULL},
        {"{\"patternProperties\":{\"^a\":true},\"additionalProperties\":{\"type\":\"null\"}}", "{\"aa\":1,\"b\":1}",
         "/b /additionalProperties/type type"},
        {"{\"properties\":{\"ab\":{\"type\":\"integer\"}},\"patternProperties\":{\"^a\":{\"minimum\":2}},"
         "\"additionalProperties\":false}",
         "{\"ab\":1}", "/ab /patternProperties/^a/minimum minimum"},
        {"{\"allOf\":[{\"properties\":{\"a\":true},\"additionalProperties\":{\"type\":\"null\"}}],\"properties\":{"
         "\"b\":{"
         "\"minimum\":1}}}",
         "{\"b\":2}", "/b /allOf/0/additionalProperties/type type"},
        {"{\"required\":[\"a\",\"b\"]}", "{\"a\":1,\"b\":2}", NULL},
        {"{\"required\":[\"a\",\"b\"]}", "{\"c\":1}", ". /required required; . /required required"},
        {"{\"required\":[\"a\"]}", "[]", NULL},
        {"{\"minProperties\":1,\"maxProperties\":2}", "{}", ". /minProperties minProperties"},
        {"{\"minProperties\":1,\"maxProperties\":2}", "{\"a\":1,\"b\":1,\"c\":1}", ". /maxProperties maxProperties"},
        {"{\"minProperties\":1,\"maxProperties\":2}", "{\"a\":1}", NULL},
        {"{\"propertyNames\":{\"maxLength\":2}}", "{\"ab\":1}", NULL},
        {"{\"propertyNames\":{\"maxLength\":2}}", "{\"abc\":1}", "/abc /propertyNames/maxLength maxLength"},
        {"{\"propertyNames\":false}", "{}", NULL},
        {"{\"propertyNames\":false}", "{\"a\":1}", "/a /propertyNames false"},
        {"{\"dependentRequired\":{\"a\":[\"b\",\"c\"]}}", "{\"a\":1,\"b\":1,\"c\":1}", NULL},
        {"{\"dependentRequired\":{\"a\":[\"b\",\"c\"]}}", "{\"b\":1}", NULL},
        {"{\"dependentRequired\":{\"a\":[\"b\",\"c\"]}}", "{\"a\":1,\"b\":1}",
         ". /dependentRequired dependentRequired"},
        {"{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"]}}}", "{\"b\":1}", NULL},
        {"{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"]}}}", "{\"a\":1}",
         ". /dependentSchemas/a/required required"},
        {"{\"dependentSchemas\":{\"a\":false}}", "\"a\"", NULL},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void unevaluated_properties(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"unevaluatedProperties\":false}", "{\"a\":1}", "/a /unevaluatedProperties unevaluatedProperties"},
        {"{\"properties\":{\"a\":true},\"unevaluatedProperties\":{\"type\":\"null\"}}", "{\"a\":1,\"b\":null}", NULL},
        {"{\"properties\":{\"a\":true},\"unevaluatedProperties\":{\"type\":\"null\"}}", "{\"a\":1,\"b\":2}",
         "/b /unevaluatedProperties/type type"},
        {"{\"$ref\":\"#/$defs/"
         "x\",\"$defs\":{\"x\":{\"properties\":{\"a\":true}}},\"allOf\":[{\"patternProperties\":{\"^p\":"
         "true}}],\"unevaluatedProperties\":false}",
         "{\"a\":1,\"pq\":2}", NULL},
        {"{\"$ref\":\"#/$defs/"
         "x\",\"$defs\":{\"x\":{\"properties\":{\"a\":true}}},\"allOf\":[{\"patternProperties\":{\"^p\":"
         "true}}],\"unevaluatedProperties\":false}",
         "{\"a\":1,\"q\":2}", "/q /unevaluatedProperties unevaluatedProperties"},
        {"{\"anyOf\":[{\"properties\":{\"a\":{\"const\":1}}},{\"properties\":{\"b\":true},\"required\":[\"b\"]}],"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":2}", NULL},
        {"{\"anyOf\":[{\"properties\":{\"a\":{\"const\":1}},\"required\":[\"a\"]},{\"properties\":{\"b\":true},"
         "\"required\":[\"b\"]}],\"unevaluatedProperties\":false}",
         "{\"a\":2,\"b\":2}", "/a /unevaluatedProperties unevaluatedProperties"},
        {"{\"oneOf\":[{\"properties\":{\"a\":{\"const\":1}},\"required\":[\"a\"]},{\"properties\":{\"b\":true},"
         "\"required\":[\"b\"]}],\"unevaluatedProperties\":false}",
         "{\"b\":2}", NULL},
        {"{\"if\":{\"properties\":{\"a\":true},\"required\":[\"a\"]},\"then\":{\"properties\":{\"b\":true}},\"else\":{"
         "\"properties\":{\"c\":true}},\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":1}", NULL},
        {"{\"if\":{\"properties\":{\"a\":true},\"required\":[\"a\"]},\"then\":{\"properties\":{\"b\":true}},\"else\":{"
         "\"properties\":{\"c\":true}},\"unevaluatedProperties\":false}",
         "{\"b\":1}", "/b /unevaluatedProperties unevaluatedProperties"},
        {"{\"if\":{\"properties\":{\"a\":true},\"required\":[\"a\"]},\"unevaluatedProperties\":false}", "{\"a\":1}",
         NULL},
        {"{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":true}}},\"properties\":{\"a\":true},"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":1}", NULL},
        {"{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":true}}},\"properties\":{\"a\":true},"
         "\"unevaluatedProperties\":false}",
         "{\"b\":1}", "/b /unevaluatedProperties unevaluatedProperties"},
        /* `not` evaluates nothing, cousins are not seen, nested scopes keep apart. */
        {"{\"not\":{\"not\":{\"properties\":{\"a\":true}}},\"unevaluatedProperties\":false}", "{\"a\":1}",
         "/a /unevaluatedProperties unevaluatedProperties"},
        {"{\"allOf\":[{\"properties\":{\"a\":true}},{\"unevaluatedProperties\":false}]}", "{\"a\":1}",
         "/a /allOf/1/unevaluatedProperties unevaluatedProperties"},
        {"{\"allOf\":[{\"properties\":{\"a\":true},\"anyOf\":[{\"properties\":{\"b\":true}}],\"unevaluatedProperties\":"
         "{"
         "\"type\":\"null\"}}],\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":2,\"c\":null}", NULL},
        {"{\"anyOf\":[{\"properties\":{\"x\":{\"anyOf\":[{\"properties\":{\"y\":true}}],\"unevaluatedProperties\":"
         "false}}}],"
         "\"unevaluatedProperties\":false}",
         "{\"x\":{\"y\":1,\"z\":1}}", "/x/z /anyOf/0/properties/x/unevaluatedProperties unevaluatedProperties"},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void logic(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"allOf\":[{\"minimum\":1},{\"maximum\":3}]}", "2", NULL},
        {"{\"allOf\":[{\"minimum\":1},{\"maximum\":3}]}", "4", ". /allOf/1/maximum maximum"},
        {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}", "4", NULL},
        {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}", "2", ". /anyOf/1/minimum minimum"},
        {"{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "2", ". /anyOf anyOf"},
        {"{\"anyOf\":[{\"minimum\":5},{\"multipleOf\":2}]}", "3", ". /anyOf anyOf; . /anyOf/0/minimum minimum"},
        {"{\"oneOf\":[{\"minimum\":2},{\"maximum\":3}]}", "1", NULL},
        {"{\"oneOf\":[{\"minimum\":2},{\"maximum\":3}]}", "2", ". /oneOf oneOf"},
        {"{\"oneOf\":[{\"const\":1},{\"const\":2}]}", "3", ". /oneOf oneOf"},
        {"{\"not\":{\"type\":\"string\"}}", "1", NULL},
        {"{\"not\":{\"type\":\"string\"}}", "\"a\"", ". /not not"},
        {"{\"if\":{\"minimum\":10},\"then\":{\"multipleOf\":10},\"else\":{\"multipleOf\":2}}", "20", NULL},
        {"{\"if\":{\"minimum\":10},\"then\":{\"multipleOf\":10},\"else\":{\"multipleOf\":2}}", "12",
         ". /then/multipleOf multipleOf"},
        {"{\"if\":{\"minimum\":10},\"then\":{\"multipleOf\":10},\"else\":{\"multipleOf\":2}}", "3",
         ". /else/multipleOf multipleOf"},
        {"{\"if\":{\"minimum\":10}}", "3", NULL},
        {"{\"then\":false,\"else\":false}", "3", NULL},
        /* Told apart by a member: the branch that was meant is the one whose faults are shown. */
        {"{\"oneOf\":[{\"properties\":{\"op\":{\"const\":\"eq\"},\"v\":{\"type\":\"integer\"}},\"required\":[\"op\","
         "\"v\"]},"
         "{\"properties\":{\"op\":{\"enum\":[\"and\",\"or\"]},\"args\":{\"type\":\"array\"}},\"required\":[\"op\","
         "\"args\"]}]}",
         "{\"op\":\"or\",\"args\":[]}", NULL},
        {"{\"oneOf\":[{\"properties\":{\"op\":{\"const\":\"eq\"},\"v\":{\"type\":\"integer\"}},\"required\":[\"op\","
         "\"v\"]},"
         "{\"properties\":{\"op\":{\"enum\":[\"and\",\"or\"]},\"args\":{\"type\":\"array\"}},\"required\":[\"op\","
         "\"args\"]}]}",
         "{\"op\":\"eq\",\"v\":\"x\"}", "/v /oneOf/0/properties/v/type type"},
        {"{\"oneOf\":[{\"properties\":{\"op\":{\"const\":\"eq\"},\"v\":{\"type\":\"integer\"}},\"required\":[\"op\","
         "\"v\"]},"
         "{\"properties\":{\"op\":{\"enum\":[\"and\",\"or\"]},\"args\":{\"type\":\"array\"}},\"required\":[\"op\","
         "\"args\"]}]}",
         "{\"op\":\"xor\"}", "/op /oneOf oneOf"},
        {"{\"oneOf\":[{\"properties\":{\"op\":{\"const\":\"eq\"}},\"required\":[\"op\"]},"
         "{\"properties\":{\"op\":{\"const\":\"ne\"}},\"required\":[\"op\"]}]}",
         "3", ". /oneOf oneOf"},
        {"{\"anyOf\":[{\"properties\":{\"op\":{\"const\":\"eq\"}},\"required\":[\"op\"]},"
         "{\"properties\":{\"op\":{\"const\":\"ne\"}},\"required\":[\"op\"]}]}",
         "{\"op\":3}", "/op /anyOf anyOf"},
        {"{\"anyOf\":[{\"properties\":{\"op\":{\"const\":\"eq\"}},\"required\":[\"op\"]},"
         "{\"properties\":{\"op\":{\"const\":\"ne\"}},\"required\":[\"op\"]}]}",
         "{}", ". /anyOf anyOf; . /anyOf/0/required required"},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void required_beyond_a_word_of_bits(void **state)
{
    (void)state;
    struct writ_buffer schema, document;
    writ_buffer_init(&schema, 1 << 16);
    writ_buffer_init(&document, 1 << 16);
    writ_buffer_append_text(&schema, "{\"dependentRequired\":{\"d\":[\"p0\",\"e\"]},\"required\":[");
    for (int i = 0; i < 100; i++)
        writ_buffer_printf(&schema, "%s\"p%d\"", i ? "," : "", i);
    writ_buffer_append_text(&schema, "]}");
    for (int left_out = 0; left_out < 100; left_out += 33) {
        writ_buffer_clear(&document);
        writ_buffer_append_text(&document, "{\"e\":1,\"d\":1");
        for (int i = 0; i < 100; i++) {
            if (i != left_out)
                writ_buffer_printf(&document, ",\"p%d\":0", i);
        }
        writ_buffer_append_byte(&document, '}');
        struct schema_case row = {schema.data, document.data,
                                  left_out == 0 ? ". /dependentRequired dependentRequired; . /required required"
                                                : ". /required required"};
        case_run(&row, NULL);
    }
    writ_buffer_clear(&schema);
    writ_buffer_clear(&document);
}

/* More names than are hashed, and a doubled one that only differs behind the same tag. */
static void many_properties(void **state)
{
    (void)state;
    struct writ_buffer schema, document;
    writ_buffer_init(&schema, 1 << 20);
    writ_buffer_init(&document, 1 << 20);
    writ_buffer_append_text(&schema, "{\"additionalProperties\":false,\"properties\":{");
    writ_buffer_append_byte(&document, '{');
    for (int i = 0; i < 3000; i++) {
        writ_buffer_printf(&schema, "%s\"name%d\":{\"const\":%d}", i ? "," : "", i, i);
        writ_buffer_printf(&document, "%s\"name%d\":%d", i ? "," : "", i, i == 2000 ? -1 : i);
    }
    writ_buffer_append_text(&schema, "}}");
    writ_buffer_append_text(&document, ",\"name3000\":0}");
    struct schema_case row = {schema.data, document.data,
                              "/name3000 /additionalProperties additionalProperties; /name2000 "
                              "/properties/name2000/const const"};
    case_run(&row, NULL);
    writ_buffer_clear(&schema);
    writ_buffer_clear(&document);
}

static void unique_items_of_every_length(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema *schema;
    writ_arena_init(&arena, (size_t)256 << 20);
    const struct writ_json *rule = case_parse(&arena, "{\"uniqueItems\":true}");
    assert_int_equal(writ_schema_compile(rule, NULL, &schema, &error), 0);
    static const int lengths[] = {2, 24, 25, 1000, 5000, 40000};
    for (size_t i = 0; i < WRIT_COUNT(lengths); i++) {
        for (int twin = 0; twin < 2; twin++) {
            struct writ_buffer text;
            writ_buffer_init(&text, (size_t)16 << 20);
            for (int k = 0; k < lengths[i]; k++) {
                int value = twin && k == lengths[i] - 1 ? lengths[i] / 3 : k;
                writ_buffer_printf(&text, k % 2 == value % 2 && value % 2 ? "%c{\"a\":[%d]}" : "%c\"%d\"",
                                   k ? ',' : '[', value % 2 != k % 2 ? k : value);
            }
            writ_buffer_append_byte(&text, ']');
            const struct writ_json *document = case_parse(&arena, text.data);
            bool doubled = twin && (lengths[i] - 1) % 2 == (lengths[i] / 3) % 2 && lengths[i] / 3 != lengths[i] - 1;
            assert_int_equal(writ_schema_check(schema, document), !doubled);
            writ_buffer_clear(&text);
        }
    }
    writ_schema_free(schema);
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_listed_values),
        cmocka_unit_test(numbers),
        cmocka_unit_test(strings),
        cmocka_unit_test(arrays),
        cmocka_unit_test(objects),
        cmocka_unit_test(unevaluated_properties),
        cmocka_unit_test(logic),
        cmocka_unit_test(required_beyond_a_word_of_bits),
        cmocka_unit_test(many_properties),
        cmocka_unit_test(unique_items_of_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
