package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The other tests prove that everything is there on the module path; this one, that they run on it. */
class ModulePathTest {
    private final Module module = CsiEndpoint.class.getModule();

    @Test
    void theTestsRunOnTheModulePath() {
        assertThat(module.isNamed()).isTrue();
        assertThat(module.getName()).isEqualTo("io.volume4j.csi");
    }

    @Test
    void onlyTheApiIsExported() {
        assertThat(module.getDescriptor().exports())
                .filteredOn(exported -> !exported.isQualified())
                .extracting(exported -> exported.source())
                .containsExactly("io.volume4j.csi");
    }
}
