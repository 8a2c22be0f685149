package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/binding.md and the tables' rows tell of each other. */
class BindingPageTest {
    private static final Pattern ID = Pattern.compile("(?<![\\w-])(?:\\d{1,2}|[FX])-W?\\d+[a-z]?(?![\\w-])");

    @Test
    void everyRowOfATableStandsOnThePageAndEveryIdOnThePageIsARow() throws IOException {
        Set<String> onThePage = new TreeSet<>();
        Matcher ids = ID.matcher(
                Files.readString(Path.of(System.getProperty("volume4j.root")).resolve("docs/binding.md")));
        while (ids.find()) {
            onThePage.add(ids.group());
        }
        assertThat(onThePage).containsExactlyElementsOf(rows());
    }

    @Test
    void noTwoRowsHaveTheSameId() {
        List<String> all = ids().toList();
        assertThat(all).doesNotHaveDuplicates();
    }

    private static Set<String> rows() {
        return ids().collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> ids() {
        return Stream.of(
                        ClaimTableTest.unbound(),
                        ClaimTableTest.requested(),
                        ClaimTableTest.completed(),
                        ClaimTableTest.classes(),
                        ClaimTableTest.defaultClass(),
                        ClaimTableTest.many(),
                        ControllerTableTest.rows(),
                        VolumeTableTest.claimed(),
                        RecycleTableTest.recycled(),
                        DeleteTableTest.deleted(),
                        VolumeTableTest.protectedVolumes(),
                        VolumeTableTest.volumeModes(),
                        ProvisioningTableTest.made(),
                        ProvisioningTableTest.failing(),
                        ProvisioningTableTest.delayed(),
                        ProvisionerTableTest.claims(),
                        ProvisionerTableTest.volumes())
                .flatMap(rows -> rows)
                .flatMap(row -> Arrays.stream(row.toString().split(" ", 2)).limit(1));
    }
}
