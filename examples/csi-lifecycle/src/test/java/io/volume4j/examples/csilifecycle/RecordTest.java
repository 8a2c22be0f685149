package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The record of what was begun, on a disk that takes nothing more and after something has damaged it. */
@Timeout(60)
class RecordTest {
    @AutoClose
    private final Ground ground = new Ground();

    /** As a full disk would: from here on the record can be removed and not written. */
    private void fillTheDisk() {
        try {
            Files.createDirectories(ground.state().resolve("begun.next"));
            Files.writeString(ground.state().resolve("begun.next").resolve("in-the-way"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void freeTheDisk() throws IOException {
        Files.deleteIfExists(ground.state().resolve("begun.next").resolve("in-the-way"));
        Files.deleteIfExists(ground.state().resolve("begun.next"));
    }

    @Test
    void aVolumeThatCannotBeRecordedIsNeitherCreatedNorTakenDown() throws IOException {
        fillTheDisk();
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            Ground.Result result = ground.run().is(1);

            assertThat(result.out())
                    .contains("FAILED: on this machine: the record of what was begun", "nothing is left");
            assertThat(driver.calls().names()).doesNotContain("CreateVolume", "DeleteVolume");
            assertThat(driver.inventory().born()).isEmpty();
        }
        freeTheDisk();
    }

    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {"CREATE_VOLUME", "NODE_STAGE_VOLUME", "NODE_PUBLISH_VOLUME", "CREATE_SNAPSHOT"})
    void aDiskThatFillsUpDuringACallCostsNothingThatExists(Rpc rpc) throws IOException {
        for (boolean beginning : new boolean[] {true, false}) {
            try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
                Ground.Result result =
                        ground.run(Ground.at(rpc, beginning, this::fillTheDisk)).is(1);

                assertThat(result.out()).contains("FAILED: on this machine: the record of what was begun");
                ground.assertClean(driver, rpc + (beginning ? " begins" : " ends"));
            }
            freeTheDisk();
        }
    }

    @Test
    void aDiskThatIsFullWhileTakingDownDoesNotKeepAnythingAlive() throws IOException {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            Ground.Result result = ground.run(Ground.at(Rpc.NODE_UNPUBLISH_VOLUME, true, this::fillTheDisk))
                    .is(1);

            assertThat(result.out()).contains("nothing is left");
            ground.assertClean(driver, "full while taking down");
        }
        freeTheDisk();
    }

    @Test
    void whatACutOffRunLeftIsTakenDownOnAFullDisk() throws IOException {
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            driver.faults().add("NodeUnpublishVolume before PERMISSION_DENIED not now");
            ground.run().is(1);
            assertThat(driver.inventory().leaks()).isNotEmpty();
            driver.faults().clear();
            fillTheDisk();

            ground.run("--clean").is(0);

            ground.assertClean(driver, "full from the start");
        }
        freeTheDisk();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "volume.volume.request=\\u12",
                "volume.volume.request=no base64\nentries=1",
                "volume.volume.request=/////w==\nentries=1",
                "volume.volume.id=vol-1",
                "volume.volume.id=vol-1\nentries=2",
                "volume.=x\nentries=1",
                "anything=else\nentries=1",
                "volume.volume.published=/\nentries=1",
                "volume.volume.staged=/dev/shm/elsewhere\nentries=1",
                "\u00ff\u00fe"
            })
    void aDamagedRecordIsToldAndNothingIsDoneByIt(String text) throws IOException {
        Path begun = ground.state().resolve("begun");
        Files.createDirectories(ground.state());
        Files.write(begun, text.getBytes(StandardCharsets.ISO_8859_1));
        try (CsiTestDriver driver = CsiTestDriver.start(ground.driver().build())) {
            Ground.Result result = ground.run().is(1);

            List<String> lines = result.out()
                    .lines()
                    .filter(line -> line.contains("error: "))
                    .toList();
            assertThat(lines).hasSize(1);
            assertThat(lines.get(0)).contains("the record " + begun + " is damaged");
            assertThat(result.out()).contains("--state").doesNotContain("Exception");
            assertThat(driver.calls().names()).doesNotContain("CreateVolume", "DeleteVolume");
            assertThat(Files.readString(begun, StandardCharsets.ISO_8859_1)).isEqualTo(text);
        }
    }
}
