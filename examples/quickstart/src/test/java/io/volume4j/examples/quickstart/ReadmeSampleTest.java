package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs that README and tutorial print are whole: they compile as printed, and are those of the examples. */
@Timeout(120)
class ReadmeSampleTest {
    private static final String FENCE = "```java\n";
    private static final Path PROJECT = Path.of(System.getProperty("volume4j.root"));

    @TempDir
    Path classes;

    /** The sample of a page that has the class. */
    private static String printed(String page, String name) throws IOException {
        String text = Files.readString(PROJECT.resolve(page));
        int begin = text.lastIndexOf(FENCE, text.indexOf(" class " + name + " ")) + FENCE.length();
        return text.substring(begin, text.indexOf("```", begin));
    }

    @ParameterizedTest
    @CsvSource({"README.md, Newcomer", "docs/tutorials/embed.md, FirstMount"})
    void compilesAsPrinted(String page, String name) throws IOException {
        String program = printed(page, name);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return program;
                    }
                };
        List<String> options =
                List.of("-d", classes.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path"));

        boolean compiled = compiler.getTask(null, null, problems, options, null, List.of(source))
                .call();

        assertThat(compiled).as("%s", problems.getDiagnostics()).isTrue();
        assertThat(classes.resolve(name + ".class")).exists();
    }

    @ParameterizedTest
    @CsvSource({
        "README.md, Newcomer, newcomer/src/main/java/io/volume4j/examples/newcomer",
        "docs/tutorials/embed.md, FirstMount, quickstart/src/main/java/io/volume4j/examples/quickstart"
    })
    void isWhatAnExampleRuns(String page, String name, String folder) throws IOException {
        String source =
                Files.readString(PROJECT.resolve("examples").resolve(folder).resolve(name + ".java"));

        assertThat(source.substring(source.indexOf("import "))).isEqualTo(printed(page, name));
    }

    /** The plugins that Maven 3.8 chooses do not know that property, and run no test of JUnit 5. */
    @ParameterizedTest
    @ValueSource(strings = {"maven-compiler-plugin", "maven-surefire-plugin"})
    void thePomOfTheTutorialNamesTheMavenPluginsThatTheExampleUses(String name) throws IOException {
        String example = Files.readString(PROJECT.resolve("examples/newcomer/pom.xml"));
        int artifact = example.indexOf("<artifactId>" + name + "</artifactId>");
        String plugin = example.substring(artifact, example.indexOf("</version>", artifact));

        assertThat(Files.readString(PROJECT.resolve("docs/tutorials/embed.md")))
                .containsIgnoringWhitespaces(plugin, "<maven.compiler.release>17</maven.compiler.release>");
    }

    @Test
    @ResourceLock(Resources.SYSTEM_OUT)
    void mountsAClaimForAPod() {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            FirstMount.main(new String[0]);
        } finally {
            System.setOut(before);
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("data is at /var/lib/volumes/pods/");
    }
}
