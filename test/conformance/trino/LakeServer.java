import com.amazonaws.services.glue.model.Table;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.google.inject.Module;
import com.google.inject.multibindings.MapBinder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystemFactory;
import io.trino.grammar.sql.SqlBaseParser;
import io.trino.plugin.hive.HiveConnectorFactory;
import io.trino.plugin.hive.NodeVersion;
import io.trino.plugin.hive.metastore.Database;
import io.trino.plugin.hive.metastore.HiveMetastore;
import io.trino.plugin.hive.metastore.PrincipalPrivileges;
import io.trino.plugin.hive.metastore.file.FileHiveMetastore;
import io.trino.plugin.hive.metastore.file.FileHiveMetastoreConfig;
import io.trino.plugin.hive.metastore.glue.v1.converter.GlueToTrinoConverter;
import io.trino.plugin.iceberg.IcebergConnectorFactory;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.server.testing.TestingTrinoServer;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Trino with a hive and an iceberg catalog over local files. Takes the directory of the metastore; prints one line
 * of JSON when it is ready: `trino`, where queries go in Trino's own protocol, and `tables`, where
 * the TableInput of a Glue table is posted to become a table; a path names another database than the
 * usual one. Lives until its standard input ends, so that it cannot outlive whatever started it.
 */
public final class LakeServer {
    private static final String DATABASE = "lake";

    public static void main(String[] args) throws Exception {
        // Trino sends standard output to its log.
        PrintStream answer =
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        endWithStandardInput();
        forgetParses();

        LocalFileSystemFactory files = new LocalFileSystemFactory(Path.of("/"));
        HiveMetastore metastore = newMetastore(files, args[0]);
        String trino = startTrino(files, metastore, args[0]);
        String tables = startTables(metastore);
        answer.println("{\"trino\": \"" + trino + "\", \"tables\": \"" + tables + "\"}");
    }

    private static void endWithStandardInput() {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                while (System.in.read() >= 0) {}
                            } catch (IOException e) {
                                // Whatever broke it, the client is gone.
                            }
                            Runtime.getRuntime().halt(0);
                        });
        thread.setDaemon(true);
        thread.start();
    }

    private static HiveMetastore newMetastore(LocalFileSystemFactory files, String directory) {
        FileHiveMetastoreConfig config =
                new FileHiveMetastoreConfig()
                        .setCatalogDirectory("local://" + directory)
                        .setMetastoreUser("trino");
        HiveMetastore metastore =
                new FileHiveMetastore(new NodeVersion("conformance"), files, false, config);
        createDatabase(metastore, DATABASE);
        return metastore;
    }

    private static void createDatabase(HiveMetastore metastore, String name) {
        metastore.createDatabase(
                Database.builder()
                        .setDatabaseName(name)
                        .setOwnerName(Optional.empty())
                        .setOwnerType(Optional.empty())
                        .build());
    }

    private static String startTrino(
            LocalFileSystemFactory files, HiveMetastore metastore, String directory) {
        Module localFiles =
                binder ->
                        MapBinder.newMapBinder(binder, String.class, TrinoFileSystemFactory.class)
                                .addBinding("local")
                                .toInstance(files);
        ConnectorFactory hive =
                new ConnectorFactory() {
                    @Override
                    public String getName() {
                        return "hive";
                    }

                    @Override
                    public Connector create(
                            String name, Map<String, String> config, ConnectorContext context) {
                        return HiveConnectorFactory.createConnector(
                                name,
                                config,
                                context,
                                localFiles,
                                Optional.of(metastore),
                                Optional.empty());
                    }
                };
        ConnectorFactory iceberg =
                new ConnectorFactory() {
                    @Override
                    public String getName() {
                        return "iceberg";
                    }

                    @Override
                    public Connector create(
                            String name, Map<String, String> config, ConnectorContext context) {
                        return IcebergConnectorFactory.createConnector(
                                name,
                                config,
                                context,
                                localFiles,
                                Optional.empty());
                    }
                };
        TestingTrinoServer server =
                TestingTrinoServer.builder()
                        // Thousands of queries, none of which a test asks about again.
                        .setProperties(Map.of("query.max-history", "10"))
                        .build();
        server.installPlugin(
                new Plugin() {
                    @Override
                    public Iterable<ConnectorFactory> getConnectorFactories() {
                        return List.of(hive, iceberg);
                    }

                    @Override
                    public Set<Class<?>> getFunctions() {
                        // With which the iceberg connector counts distinct values as it writes.
                        return new IcebergPlugin().getFunctions();
                    }
                });
        server.createCatalog(
                "hive",
                "hive",
                Map.of(
                        "fs.hadoop.enabled", "false",
                        "hive.partition-projection-enabled", "true",
                        // On S3 an hour in which nothing arrived is empty, not absent.
                        "hive.ignore-absent-partitions", "true",
                        // This metastore fails on partitions that were computed; Glue has none of them.
                        "hive.table-statistics-enabled", "false",
                        "hive.security", "allow-all"));
        server.createCatalog(
                "iceberg",
                "iceberg",
                Map.of(
                        "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                        "hive.metastore.catalog.dir", "local://" + directory + "/iceberg",
                        "fs.hadoop.enabled", "false",
                        // Tests expire what they have just superseded.
                        "iceberg.expire_snapshots.min-retention", "0s",
                        "iceberg.remove_orphan_files.min-retention", "0s"));
        return server.getBaseUrl().toString();
    }

    /** The parser keeps what it learns of every text, for ever: a gigabyte after 2,000 queries. */
    private static void forgetParses() {
        Thread thread =
                new Thread(
                        () -> {
                            while (true) {
                                new SqlBaseParser(null).getInterpreter().clearDFA();
                                LockSupport.parkNanos(Duration.ofSeconds(20).toNanos());
                            }
                        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Tables are converted by the code with which Trino reads Glue's own. */
    private static String startTables(HiveMetastore metastore) throws IOException {
        ObjectMapper glue =
                new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    try {
                        String path = exchange.getRequestURI().getPath().substring(1);
                        String database = path.isEmpty() ? DATABASE : path;
                        if (metastore.getDatabase(database).isEmpty()) {
                            createDatabase(metastore, database);
                        }
                        Table table = glue.readValue(exchange.getRequestBody(), Table.class);
                        // Glue answers with zero where a table says nothing.
                        table.getStorageDescriptor().setNumberOfBuckets(0);
                        metastore.createTable(
                                GlueToTrinoConverter.convertTable(table, database),
                                PrincipalPrivileges.NO_PRIVILEGES);
                        respond(exchange, 200, table.getName());
                    } catch (IOException | RuntimeException e) {
                        respond(exchange, 400, e.toString());
                    }
                });
        server.start();
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
