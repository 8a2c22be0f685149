package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong options of a node's lease end the program before it asks etcd or mounts anything. */
class LeaseOptionsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --node-lease --server http://127.0.0.1:1 --attach controller                            | --node-lease needs --etcd
            --replaces-machine --server http://127.0.0.1:1                                          | --replaces-machine needs --etcd
            --node-lease --etcd http://127.0.0.1:1                                                  | --node-lease needs --attach controller
            --node-lease --etcd http://127.0.0.1:1 --attach controller --once                       | --once ends and leaves its mounts
            --time-to-fence 5 --etcd http://127.0.0.1:1                                             | --time-to-fence needs --node-lease
            --watchdog /dev/watchdog --etcd http://127.0.0.1:1                                      | --watchdog needs --node-lease
            --node-lease 60 --watchdog-timeout 5 --etcd http://127.0.0.1:1 --attach controller      | --watchdog-timeout needs --watchdog
            --node-lease 2 --etcd http://127.0.0.1:1 --attach controller                            | lasts 3 s at least
            --node-lease 30 --time-to-fence 11 --etcd http://127.0.0.1:1 --attach controller        | give it 33 s; or shorten --time-to-fence
            --node-lease 60 --watchdog d --watchdog-timeout 6 --etcd http://127.0.0.1:1 --attach controller | give it 66 s
            --node-lease 60 --watchdog /no/such --etcd http://127.0.0.1:1 --attach controller       | there is no watchdog /no/such
            """)
    void isRefusedWithWhatIsWrong(String options, String said, @TempDir Path root) {
        List<String> words = new ArrayList<>(List.of("node", "--name", "n1", "--in-memory", "--root", root + "/v"));
        words.addAll(List.of(options.strip().split(" +")));
        Programs.Finished finished = Programs.run(words.toArray(String[]::new));
        assertThat(finished.err()).contains(said);
        assertThat(finished.code()).isEqualTo(2);
    }
}
