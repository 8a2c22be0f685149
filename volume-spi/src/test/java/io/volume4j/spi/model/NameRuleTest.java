package io.volume4j.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameRuleTest {
    @ParameterizedTest
    @CsvSource({
        // name, subdomain, label, driver, qualified, uid
        "a, true, true, true, true, true",
        "nfs-pv, true, true, true, true, true",
        "0, true, true, true, true, true",
        "n1.example.com, true, false, true, true, true",
        "Upper, false, false, true, true, true",
        "a_b, false, false, false, true, true",
        "example.com/nfs, false, false, false, true, false",
        "kubernetes.io/no-provisioner, false, false, false, true, false",
        "kubernetes.io/a.b_c, false, false, false, true, false",
        "0b6f1f3e-1f3c-4c2a-9c7e-2f1f5a1c0001, true, true, true, true, true",
    })
    void allowsWhatKubernetesAllows(
            String name, boolean subdomain, boolean label, boolean driver, boolean qualified, boolean uid) {
        assertThat(NameRule.SUBDOMAIN.allows(name)).isEqualTo(subdomain);
        assertThat(NameRule.LABEL.allows(name)).isEqualTo(label);
        assertThat(NameRule.DRIVER.allows(name)).isEqualTo(driver);
        assertThat(NameRule.QUALIFIED.allows(name)).isEqualTo(qualified);
        assertThat(NameRule.UID.allows(name)).isEqualTo(uid);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "a/../b",
                "a..b",
                "/a",
                "a/",
                "a/b/c",
                "-a",
                "a-",
                ".a",
                "a.",
                "a b",
                "a\nb",
                "a\u0000",
                "a\u202Eb",
                "\u00e9",
                "\uFF41",
                "a\\b",
                "a:b",
                "a,b",
                "~",
                "$(x)",
                "a;b"
            })
    void allowsNothingThatCouldLeadOutOfAPathOrALine(String name) {
        for (NameRule rule : NameRule.values()) {
            assertThat(rule.allows(name)).as("%s %s", rule, name).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"SUBDOMAIN, 253", "LABEL, 63", "DRIVER, 63", "QUALIFIED, 63", "UID, 128"})
    void boundsTheLength(NameRule rule, int longest) {
        assertThat(rule.allows("x".repeat(longest))).isTrue();
        assertThat(rule.allows("x".repeat(longest + 1))).isFalse();
    }

    @Test
    void boundsBothPartsOfAQualifiedName() {
        assertThat(NameRule.QUALIFIED.allows("x".repeat(253) + "/" + "y".repeat(63)))
                .isTrue();
        assertThat(NameRule.QUALIFIED.allows("x".repeat(254) + "/y")).isFalse();
        assertThat(NameRule.QUALIFIED.allows("x/" + "y".repeat(64))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void describesItselfInOneLine(NameRule rule) {
        assertThat(rule.description())
                .startsWith("a")
                .contains("at most")
                .doesNotContain("\n")
                .doesNotEndWith(".");
    }
}
