package io.volume4j.core.grants;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The name under which Kubernetes looks for how many volumes of a driver a node can have. */
class AttachLimitKeyTest {
    @Test
    void isTheDriversNameWhereThatIsShorterThanANameMayBe() {
        assertThat(AttachLimitKey.of("ebs.csi.aws.com")).isEqualTo("attachable-volumes-csi-ebs.csi.aws.com");
        assertThat(AttachLimitKey.of("a".repeat(39))).isEqualTo("attachable-volumes-csi-" + "a".repeat(39));
    }

    @Test
    void isItsBeginningAndADigestWhereItIsLonger() {
        assertThat(AttachLimitKey.of("a".repeat(40)))
                .isEqualTo("attachable-volumes-csi-" + "a".repeat(23) + "a56559418dc7908c")
                .hasSize(62);
    }
}
