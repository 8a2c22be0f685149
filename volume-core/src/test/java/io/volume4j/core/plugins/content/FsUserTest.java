package io.volume4j.core.plugins.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which user a pod's containers have in common. {@code -} is a container without a user, empty is no container. */
class FsUserTest {
    @ParameterizedTest(name = "pod {0}, init {1}, containers {2}, ephemeral {3}: {4}")
    @CsvSource({
        // pod, init containers, containers, ephemeral containers, common user
        "    ,       ,      -,       ,        ",
        "    ,       ,   1000,       ,    1000",
        "1000,       ,      -,       ,    1000",
        "1000,       ,    - -,       ,    1000",
        "   0,       ,      -,       ,       0",
        "1000,       ,      0,       ,       0",
        "1000,       ,   2000,       ,    2000",
        "1000,       , 1000 -,       ,    1000",
        "1000,       , 2000 -,       ,        ",
        "    ,       , 1000 -,       ,        ",
        "    ,       , - 1000,       ,        ",
        "1000,   2000,      -,       ,        ",
        "1000,      -,      -,       ,    1000",
        "    ,      -,   1000,       ,        ",
        "    ,   1000,   1000,   1000,    1000",
        "1000,       ,      -,      0,        ",
        "    ,       ,   1000,      -,        ",
        "1000,       ,       ,       ,        ",
    })
    void isTheOneThatAllContainersRunAs(
            @Nullable Long pod,
            @Nullable String init,
            @Nullable String containers,
            @Nullable String ephemeral,
            @Nullable Long common) {
        Pod.Spec spec = Pod.Spec.builder()
                .initContainers(containers(init))
                .containers(containers(containers))
                .ephemeralContainers(containers(ephemeral))
                .securityContext(new Pod.SecurityContext(null, "", List.of(), null, "", pod))
                .build();

        assertThat(FsUser.of(spec)).isEqualTo(common);
    }

    private static List<Container> containers(@Nullable String users) {
        return users == null
                ? List.of()
                : List.of(users.split(" ")).stream()
                        .map(user -> Container.builder("c")
                                .runAsUser(user.equals("-") ? null : Long.valueOf(user))
                                .build())
                        .toList();
    }
}
