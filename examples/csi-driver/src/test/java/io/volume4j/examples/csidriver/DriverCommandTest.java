package io.volume4j.examples.csidriver;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.options.Switches;
import io.volume4j.examples.commandline.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each word of the command line tells the driver, and what is answered to words that tell it nothing. */
class DriverCommandTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("CSI_ENDPOINT", "unix:///run/d/csi.sock");

    private static DriverOptions options(String... words) {
        AtomicReference<DriverOptions> told = new AtomicReference<>();
        String answer = answer(
                0,
                new DriverCommand(ENVIRONMENT, driver -> {
                    told.set(driver.options());
                    return 0;
                }),
                words);
        return Objects.requireNonNull(told.get(), answer);
    }

    private static String answer(int code, DriverCommand command, String... words) {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
        int given = Program.of(command).run(words, out, out);
        assertThat(given).as(told.toString(StandardCharsets.UTF_8)).isEqualTo(code);
        return told.toString(StandardCharsets.UTF_8);
    }

    @Test
    void takesTheEndpointFromTheCommandLineOrTheEnvironment() {
        assertThat(options().socket()).isEqualTo(Path.of("/run/d/csi.sock"));
        assertThat(options("--endpoint", "unix:///run/other.sock").socket()).isEqualTo(Path.of("/run/other.sock"));
    }

    @Test
    void readsWhatADriverCanBeTold() {
        DriverOptions options = options(
                "--minimal",
                "--with",
                "stage",
                "--with",
                "controller.4711",
                "--quirk",
                "list-drift",
                "--pool",
                "zone=a,rack=7:10Gi",
                "--pool",
                "1Gi",
                "--node",
                "node-2=unix:///run/d/two.sock",
                "--node",
                "node-3",
                "--place",
                "node-2:zone=b",
                "--attach-limit",
                "3",
                "--secret",
                "token=x",
                "--mounts",
                "links",
                "--volume",
                "by-hand:1Mi",
                "--state-dir",
                "/var/lib/d",
                "--keep-mounts");

        assertThat(options.switches().toString()).isEqualTo("access.MOUNT controller.4711 node.STAGE_UNSTAGE_VOLUME");
        assertThat(options.quirks()).containsExactly(Quirk.LIST_DRIFT);
        assertThat(options.pools())
                .isEqualTo(
                        List.of(new Pool(Map.of("zone", "a", "rack", "7"), 10L << 30), new Pool(Map.of(), 1L << 30)));
        assertThat(options.otherNodes())
                .isEqualTo(Map.of("node-2", Optional.of(Path.of("/run/d/two.sock")), "node-3", Optional.empty()));
        assertThat(options.placeOf("node-2")).isEqualTo(Map.of("zone", "b"));
        assertThat(options.attachLimit()).isEqualTo(3);
        assertThat(options.secrets()).isEqualTo(Map.of("token", "x"));
        assertThat(options.mounts()).isEqualTo(MountStyle.LINKS);
        assertThat(options.presetVolumes()).isEqualTo(Map.of("by-hand", 1L << 20));
        assertThat(options.keepMounts()).isTrue();
    }

    @Test
    void whatIsAskedForByNameIsThereWhateverTheOrder() {
        assertThat(options("--with", "stage", "--minimal").switches().toString())
                .isEqualTo(options("--minimal", "--with", "stage").switches().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --with nonsense       | --with: no capability is called
            --quirk nonsense      | --quirk: no quirk is called
            --pool much           | --pool: not a size
            --attach-limit -1     | --attach-limit
            --attach-limit many   | --attach-limit
            --nonsense x          | there is no option --nonsense
            --endpiont unix:///x  | did you mean --endpoint?
            --endpoint relative   | --endpoint: not a socket endpoint
            --name                | --name
            --volume x            | --volume: expected ID:SIZE
            --mounts nowhere      | --mounts
            --faults /no/such     | --faults: cannot read
            --max-size 512Ki      | --min-size (1Mi) is larger than --max-size (512Ki)
            --keep-mounts         | --keep-mounts needs --state-dir
            --place node-7:zone=a | --place: there is no node node-7
            --node node-1         | --node: node-1 is this node
            --node n=/run/d/csi.sock             | --node: n needs a socket of its own
            --control unix:///run/d/csi.sock     | --control needs a socket of its own
            """)
    void saysInOneLineWhatItCannotDo(String line, String why) {
        String answer = answer(
                2, new DriverCommand(ENVIRONMENT, driver -> 0), line.strip().split(" +"));

        assertThat(answer).startsWith("error: ").contains(why).hasLineCount(1);
    }

    @Test
    void withoutAnEndpointItSaysWhereOneMayBeGiven() {
        assertThat(answer(2, new DriverCommand(Map.of(), driver -> 0)))
                .contains("--endpoint unix:///PATH is required", "CSI_ENDPOINT");
    }

    @Test
    void theHelpNamesEveryQuirkAndEveryGroupOfCapabilities() {
        String help = answer(0, new DriverCommand(ENVIRONMENT, driver -> 1), "--help");

        for (Quirk quirk : Quirk.values()) {
            assertThat(help).contains(quirk.label());
        }
        assertThat(help).contains(Switches.groups().keySet()).contains("--endpoint", "--fault", "Exit codes:");
        assertThat(help.lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void whereTheSocketCouldBeExchangedTheProgramSaysWhereToListenInstead(@TempDir Path place) throws IOException {
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
        String[] words = {"--endpoint", "unix://" + place.resolve("csi.sock"), "--mounts", "links"};

        assertThat(CsiDriver.run(words, Map.of(), out, out, new CountDownLatch(0)))
                .isEqualTo(1);

        assertThat(told.toString(StandardCharsets.UTF_8))
                .startsWith("error: ")
                .contains("may be written by others", "name a path in a directory that only you may write");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsToldInWords(@TempDir Path place) throws IOException {
        Path file = Files.createFile(place.resolve("file"));
        String socket = "unix://" + place.resolve("d/csi.sock");

        assertThat(failure("--endpoint", socket, "--mounts", "links", "--state-dir", file.toString()))
                .isEqualTo("error: " + file + ": it is there already\n");
        assertThat(failure("--endpoint", "unix:///proc/none/csi.sock", "--mounts", "links"))
                .isEqualTo("error: /proc/none: there is no such file or directory\n");
    }

    private static String failure(String... words) {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
        assertThat(CsiDriver.run(words, Map.of(), out, out, new CountDownLatch(0)))
                .isEqualTo(1);
        return told.toString(StandardCharsets.UTF_8);
    }
}
