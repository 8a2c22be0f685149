package io.volume4j.core.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.testing.Privileged;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class SharedMountTableTest {
    private final Machine machine;

    SharedMountTableTest(Kernel kernel) {
        machine = new Machine(kernel);
    }

    @BeforeEach
    void makeMachine() {
        machine.directory("a");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void isReadAgainOnlyAfterAChange() {
        MountSnapshot first = machine.table.read();
        long readings = machine.table.readings();
        for (int i = 0; i < 100; i++) {
            assertThat(machine.table.read()).isSameAs(first);
        }
        assertThat(machine.table.readings()).isEqualTo(readings);
    }

    @Test
    void showsForeignMountsUnmountsAndRemountsAtOnce() {
        String a = machine.path("a").toString();
        assertThat(machine.table.read().at(machine.path("a"))).isEmpty();
        Machine.run("mount", "-t", "tmpfs", "foreign", a);
        assertThat(machine.table.read().at(machine.path("a")).orElseThrow().source())
                .isEqualTo("foreign");
        Machine.run("mount", "-o", "remount,bind,ro", a);
        assertThat(machine.table.read().at(machine.path("a")).orElseThrow().readOnly())
                .isTrue();
        Machine.run("umount", a);
        assertThat(machine.table.read().at(machine.path("a"))).isEmpty();
    }

    @Test
    void namesAPathWithSpacesAndBackslashesAsItIs() {
        String name = "b c\\d\te";
        machine.directory(name);
        Machine.run("mount", "-t", "tmpfs", "foreign", machine.path(name).toString());
        assertThat(machine.table.read().at(machine.path(name))).isPresent();
    }
}
