/**
 * The commonest words that carry grammar rather than meaning, by language: evidence of a language in a short text, and
 * words that are no keywords. Lower case, typographic apostrophes as `'`.
 */
const LISTS: Record<string, string> = {
  en: `the a an and or but if then than of to in on at by for with from into onto over under about between through
    during before after above below up down out off again further once here there when where why how all any both each
    few more most other some such no nor not only own same so too very can could will would shall should may might must
    do does did doing done is are was were be been being am have has had having i you he she it we they me him her us
    them my your his its our their mine yours ours theirs this that these those what which who whom whose as until
    while because also just don't doesn't didn't isn't aren't wasn't won't can't cannot it's that's there's i'm you're
    we're they're i've we've let's get got make made many much every never always today yesterday tomorrow please`,
  de: `der die das den dem des ein eine einen einem einer eines kein keine keinen keiner und oder aber denn sondern wenn
    dann als wie ob weil dass daß damit bevor nachdem während obwohl von vom zu zum zur in im ins an am auf aus bei beim
    mit nach für über unter vor hinter neben zwischen durch gegen ohne um bis seit ich du er sie es wir ihr mich dich
    ihn uns euch mir dir ihm ihnen mein meine meinen dein deine sein seine seinen seiner ihre ihren ihrem ihrer unser
    unsere euer eure dieser diese dieses diesen diesem jeder jede jedes jeden alle allen alles viel viele vielen mehr
    sehr nur noch schon auch nicht nichts hier dort da so ist sind war waren bin bist seid sein hat haben hatte hatten
    habe hast wird werden wurde wurden worden wird kann können konnte muss müssen musste soll sollen sollte will wollen
    wollte darf dürfen mag möchte man sich was wer wo wann warum welche welcher welches heute gestern morgen immer nie
    wieder bitte etwas einmal zwei drei gibt ganz doch ja nein`,
  fr: `l' d' j' n' c' qu' s' m' t' le la les un une des du de et ou mais donc or ni car si que qui quoi dont où quand comment pourquoi comme lorsque
    puisque parce je tu il elle on nous vous ils elles me te se lui leur leurs moi toi soi eux mon ma mes ton ta tes son
    sa ses notre nos votre vos ce cet cette ces ceci cela ça à au aux en dans par pour sur sous vers avec sans entre
    chez avant après pendant depuis contre est sont était étaient être été suis es sommes êtes sera seront serait a ai
    as avons avez ont avait avaient aura avoir eu fait faire faut peut peuvent doit doivent veut veux va vont ne pas
    plus moins très trop aussi bien mal tout tous toute toutes quel quelle quels quelles chaque plusieurs même encore
    déjà toujours jamais rien personne ici là y c'est n'est d'un d'une qu'il qu'elle j'ai n'a s'il l'on aujourd'hui hier
    demain deux trois beaucoup peu alors ainsi`,
  es: `el la los las lo un una unos unas de del al a y e o u pero sino si que qué quien quién cual cuál cuando cuándo
    donde dónde como cómo porque pues aunque mientras yo tú él ella ello nosotros vosotros ellos ellas usted ustedes me
    te se nos os le les mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro este esta esto estos estas ese
    esa eso esos esas aquel aquella en con por para sin sobre entre hasta desde hacia según contra tras durante ante es
    son era eran ser sido soy eres somos fue fueron será serán sería está están estaba estaban estoy estamos ha han he
    hemos había habían haber hay tiene tienen tengo tenía puede pueden puedo debe deben hacer hace hizo va van voy no ni
    ya muy más menos mucho muchos mucha muchas poco todo todos toda todas cada otro otra otros otras mismo también
    tampoco siempre nunca nada nadie algo alguien aquí allí ahí hoy ayer mañana bien así dos tres solo sólo cualquier`,
  pt: `o a os as um uma uns umas de do da dos das em no na nos nas num numa ao aos à às por pelo pela pelos pelas para
    pra com sem sobre entre até desde após contra durante e ou mas se que quem qual quais quando onde como porque pois
    embora enquanto eu tu ele ela nós vós eles elas você vocês me te lhe lhes nos mim ti si meu minha meus minhas teu
    tua seu sua seus suas nosso nossa nossos nossas este esta isto estes estas esse essa isso esses essas aquele aquela
    aquilo deste desta desse dessa neste nesta nesse nessa é são era eram ser sido sou somos foi foram será serão seria
    está estão estava estavam estou estamos estar há tem têm tinha tinham ter tenho temos pode podem posso deve devem
    fazer faz fez vai vão vou não nem já muito muita muitos muitas mais menos pouco todo toda todos todas tudo cada
    outro outra outros outras mesmo mesma também sempre nunca nada ninguém algo alguém aqui ali lá hoje ontem amanhã bem
    assim dois duas três só apenas qualquer ainda depois antes então`,
  it: `l' d' c' dell' nell' all' dall' sull' un' quell' il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle
    in nel nello nella nei negli nelle su sul sulla sui sulle con per tra fra senza e ed o ma se che chi cui quale quali
    quando dove come perché poiché mentre anche io tu lui lei noi voi loro mi ti si ci vi ne me te mio mia miei mie tuo
    tua suo sua suoi sue nostro nostra nostri vostro questo questa questi queste quello quella quelli quelle è sono era
    erano essere stato stata stati sei siamo siete sarà saranno sarebbe ha ho hai hanno abbiamo avete aveva avevano
    avere può possono posso deve devono devo fare fa va vanno vado non né già molto molta molti molte più meno poco
    tutto tutta tutti tutte ogni altro altra altri altre stesso sempre mai niente nulla nessuno qualcosa qui qua lì là
    oggi ieri domani bene così due tre solo ancora dopo prima però c'è l'ho dell' all' nell' quindi allora`,
  nl: `de het een en of maar want dus als dan wanneer waar wie wat welke hoe waarom omdat zodat terwijl hoewel tot toen
    van in op aan bij met voor na naar uit over onder door tegen zonder om te tussen tijdens sinds volgens ik jij je hij
    zij ze wij we jullie u mij me jou hem haar ons hen hun mijn jouw zijn onze uw dit dat deze die er hier daar is zijn
    was waren ben bent wordt worden werd werden geworden heeft hebben heb had hadden gehad kan kunnen kon konden moet
    moeten moest mag mogen wil willen wilde zal zullen zou zouden gaat gaan ging doet doen niet geen niets nooit altijd
    nog al ook wel heel zeer veel weinig meer minder meest elke elk alle alles iets iemand niemand ander andere zelf
    vandaag gisteren morgen weer zo nu twee drie alleen graag eens toch`,
  pl: `i w we z ze na do od o u po za pod nad przed przez przy bez dla między o ku oraz a ale lub albo czy jeśli jeżeli
    gdy kiedy gdzie jak co kto który która które którzy którego której których żeby aby że bo ponieważ więc niż ja ty on
    ona ono my wy oni one mnie mi ciebie ci jego jej go jemu mu ją nim nią nas nam was wam ich im nimi mój moja moje twój
    twoja swój swoje swoją nasz nasza nasze wasz ten ta to ci te tego tej tych tym tymi tę tamten jest są był była było
    byli były być będzie będą jestem jesteś jesteśmy ma mają mam miał mieć może mogą można mogę musi muszą trzeba należy
    nie ani już jeszcze tylko też także bardzo więcej mniej dużo mało wszystko wszystkie wszyscy każdy każda każde inny
    inne sam sama zawsze nigdy nic nikt coś ktoś tu tutaj tam dziś dzisiaj wczoraj jutro tak dwa trzy się po tego swój
    teraz potem przed proszę`,
  da: `og i at en et den det de der som er var været være bliver blev blive har havde have kan kunne skal skulle vil ville
    må måtte bør til på med for af fra om ved efter før under over mellem mod uden gennem hos jeg du han hun vi i os jer
    dem mig dig sig ham hende min mit mine din dit dine sin sit sine hans hendes vores jeres deres denne dette disse ikke
    ingen intet men eller hvis når da fordi så end hvad hvem hvor hvordan hvorfor hvilken hvilke også kun meget mere mest
    mindre mange alle alt hver anden andet andre samme selv altid aldrig noget nogen nogle her der nu i dag går morgen
    igen op ned ud ind to tre lige blot både gøre gør gik bruge bruges`,
  no: `og i å at en et ei den det de der som er var vært være blir ble bli har hadde ha kan kunne skal skulle vil ville må
    måtte bør til på med for av fra om ved etter før under over mellom mot uten gjennom hos jeg du han hun vi dere oss
    dem meg deg seg ham henne min mitt mine din ditt dine sin sitt sine hans hennes vår vårt våre deres denne dette
    disse ikke ingen men eller hvis når da fordi så enn hva hvem hvor hvordan hvorfor hvilken hvilke også bare kun mye
    mer mest mindre mange alle alt hver annen annet andre samme selv alltid aldri noe noen her nå dag går morgen igjen
    opp ned ut inn to tre både gjøre gjør gikk bruke brukes eg ikkje ein eit dei frå me kva korleis mykje no`,
  sv: `och i att en ett den det de som är var varit vara blir blev bli har hade ha kan kunde ska skall skulle vill ville
    måste får fick bör till på med för av från om vid efter före under över mellan mot utan genom hos jag du han hon vi
    ni oss er dem mig dig sig honom henne min mitt mina din ditt dina sin sitt sina hans hennes vår vårt våra era deras
    denna detta dessa inte icke ingen inget men eller när då eftersom så än vad vem var hur varför vilken vilka vilket
    också bara endast mycket mer mest mindre många alla allt varje annan annat andra samma själv alltid aldrig något
    någon några här där nu idag igår imorgon igen upp ner ut in två tre både göra gör gick använda används sedan redan`,
  ru: `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от меня
    еще ещё нет о из ему теперь когда даже ну если уже или ни быть был него до вас нибудь опять вам ведь там потом себя
    ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет
    тогда кто этот того потому этого какой совсем ним здесь этом один почти мой тем чтобы нее сейчас были куда зачем
    всех никогда можно при наконец два об другой хоть после над больше тот через эти нас про всего них какая много разве
    три эту моя впрочем хорошо свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между это
    который которая которые сегодня вчера завтра нужно очень`,
  uk: `і й в у не що він на я з із як а то все вона так його але та ти до же ви за б по тільки її мені було ось від мене
    ще немає о їй тепер коли навіть якщо вже або ні бути був нього вас там потім себе нічого може вони тут де є треба
    для ми тебе їх чим була сам без щоб теж собі під буде тоді хто цей того тому цього який ним один майже мій тим зараз
    були куди навіщо всіх ніколи можна при два інший після над більше через ці нас про них яка багато три цю моя перед
    іноді краще чи також дуже це які сьогодні вчора завтра потрібно`,
  bg: `и в във на не се да са си с със от за по че е като но а или ако това този тази тези той тя те то ние вие аз ти му ѝ
    им ги го я ми ни ви ме те бе беше бяха бил била било били ще съм сме сте има няма може трябва при до над под пред
    след преди между без през което който която които как къде кога защо какво кой много по-малко повече също само още
    вече всички всеки друг тук там днес вчера утре два три`,
  fi: `ja on ei se että oli hän en ole mutta niin kun jos tai sekä joka jotka mitä mikä missä kuka miten miksi minä sinä
    me te he ne tämä tuo nämä minun sinun hänen meidän teidän heidän minulla sinulla olen olet olemme ovat olivat ollut
    olla voi voivat voit pitää täytyy saa tulee vain myös jo vielä kuin kaikki paljon enemmän hyvin nyt tänään eilen
    huomenna aina koskaan ennen jälkeen kanssa ilman siitä siinä tässä tämän sen sitä jonka kuten koska ettei eivät`,
  is: `og að í á er sem var ekki það við til en um með fyrir af frá eru hann hún þeir þær þau ég þú mér þér honum henni
    okkur þetta þessi þess hafa hefur hafði verið vera verður get getur má skal vil eða ef þegar hvað hver hvar hvernig
    bara líka mjög allt allir eitthvað hér þar nú svo upp út inn`,
  cs: `a i v ve na se si je s z ze do od o u po za pod nad před přes při bez pro mezi k ke ale nebo anebo či když pokud
    kde jak co kdo který která které kteří jehož aby že protože tak než já ty on ona ono my vy oni mně mi tě ti jeho její
    ho mu ji jí nás nám vás vám jich jim můj moje tvůj svůj své svou náš naše váš ten ta to tyto tento tato toto tím tom
    jsou byl byla bylo byli být bude budou jsem jsi jsme jste má mají mám měl může mohou můžete musí lze ne není už ještě
    jen pouze také velmi více méně mnoho všechno všechny každý jiný sám vždy nikdy nic nikdo něco někdo tady tam dnes
    včera zítra dva tři které podle jako`,
  sk: `a i v vo na sa si je s so z zo do od o u po za pod nad pred cez pri bez pre medzi k ku ale alebo či keď ak kde ako
    čo kto ktorý ktorá ktoré ktorí aby že pretože tak než ja ty on ona ono my vy oni mne mi jeho jej ho mu ju nás nám vás
    vám ich im môj moje tvoj svoj naše váš ten tá to tieto tento táto toto tým tom sú bol bola bolo boli byť bude budú
    som sme ste má majú mám mal môže môžu musí nie už ešte len iba tiež veľmi viac menej mnoho všetko všetky každý iný
    sám vždy nikdy nič nikto niečo niekto tu tam dnes včera zajtra dva tri podľa`,
  hu: `a az és is nem hogy egy ez van volt de ha már csak meg mint vagy el ki be fel le még én te ő mi ti ők engem téged
    nekem neki nekünk azt ezt amit aki ami ahol amikor mert mit hol mikor hogyan miért kell lehet lesz volna voltak
    vannak vagyok vagyunk legyen minden nagyon sok több kevés ezek azok itt ott most ma tegnap holnap mindig soha után
    előtt alatt között szerint által akkor így úgy pedig sem`,
  ro: `și în de la cu pe din un o este sunt era a al ai ale cel cea cei cele care ce că să nu mai dar sau dacă când unde
    cum cine pentru prin până după înainte fără despre sub între eu tu el ea noi voi ei ele mă te se ne vă îl îi le lui
    lor meu mea tău său sa nostru acest această aceste acesta aceasta acel fi fost am are au avem aveți avea poate pot
    trebuie vor va voi foarte mult multe puțin tot toate toți fiecare alt altă doar numai deja încă aici acolo azi ieri
    mâine bine așa doi trei într-un într-o`,
  tr: `ve bir bu için ile da de ne o mi mı mu mü çok daha en gibi kadar sonra önce olarak olan var yok değil ama veya ya
    ki eğer ben sen biz siz onlar bana sana ona bize benim senin onun bizim şu her hiç bazı tüm bütün şey olduğu olur
    oldu etmek ediyor eder yapmak nasıl neden niçin nerede kim hangi şimdi bugün dün yarın burada orada üzerinde içinde
    tarafından göre artık sadece ancak hem lütfen`,
  hr: `i u na je se da su za od do s sa iz o po pri bez kroz kod prema između ali ili ako kad kada gdje gde kako što šta
    tko ko koji koja koje kojih jer nego ja ti on ona ono mi vi oni one me te ga mu joj nas vas ih im moj moja tvoj svoj
    naš vaš njegov ovaj ova ovo taj ta to ovi te bio bila bilo bili biti bit će ću ćemo sam si smo ste nije nisu ima
    imaju imam može mogu mora treba ne već još samo također takođe vrlo više manje puno sve svi svaki drugi uvijek uvek
    nikad ništa netko nešto ovdje tamo danas jučer sutra dva tri`,
  sl: `in je v na se da so za od do s z iz o po pri brez skozi med k ali če ko kje kako kaj kdo ki kateri katera ker kot jaz
    ti on ona mi vi oni me te ga mu jo nas vas jih jim moj tvoj svoj naš vaš njegov ta to ti te tega tem bil bila bilo
    bili biti bo bodo sem si smo ste ni niso ima imajo imam lahko mora treba ne že še samo tudi zelo več manj veliko vse
    vsi vsak drug vedno nikoli nič nekdo nekaj tukaj tam danes včeraj jutri dva tri pa`,
  et: `ja on ei see et oli ta ma sa me te nad ning kui või aga siis ka mis kes kus kuidas miks millal mille selle seda
    sellest need minu sinu tema meie teie nende olen oled oleme olete olid olnud olla saab saan võib peab tuleb ainult
    juba veel väga palju rohkem kõik iga täna eile homme siin seal nüüd alati enne pärast ilma koos üle läbi kuid`,
  lv: `un ir no uz ar par pie pēc pirms bez caur līdz kā kas ko kur kad kāpēc ja vai bet jo ka lai es tu viņš viņa mēs jūs
    viņi man tev mums jums mans tavs savs mūsu jūsu šis šī šie tas tā tie bija būt būs esmu esi esam nav var varētu
    vajag jābūt ne arī tikai jau vēl ļoti vairāk mazāk daudz viss visi katrs cits vienmēr nekad nekas šeit tur šodien
    vakar rīt divi trīs kurš kura tiek`,
  lt: `ir yra į iš su be per prie po prieš už nuo iki ant apie tarp kaip kas ką kur kada kodėl kad jei jeigu ar arba bet nes
    aš tu jis ji mes jūs jie jos man tau mums jums mano tavo savo mūsų jūsų šis ši šie tas ta tie tai buvo būti bus esu
    esi esame nėra gali galima reikia turi ne taip pat tik jau dar labai daugiau mažiau daug visi viskas kiekvienas kitas
    visada niekada nieko čia ten šiandien vakar rytoj du trys kuris kuri`,
  ca: `l' d' n' s' m' t' el la els les un una uns unes de del dels al als a i o però si que què qui quan on com perquè mentre jo tu ell ella
    nosaltres vosaltres ells elles em et es ens us li els ho hi en el meu la meva el teu seu seva nostre aquest aquesta
    aquests aquestes aquell això amb per sense sobre entre fins des és són era eren ser estat estic està estan ha han he
    hem havia hi pot poden puc ha de fer fa va van no ni ja molt molta molts més menys tot tots tota totes cada altre
    altra també sempre mai res ningú aquí allà avui ahir demà bé així dos tres només d'un l'any qualsevol`,
  gl: `o a os as un unha uns unhas de do da dos das en no na nos nas nun nunha ao aos á ás por polo pola para con sen
    sobre entre ata desde e ou pero se que quen cal cando onde como porque pois eu ti el ela nós vós eles elas vostede
    me te lle lles meu miña teu túa seu súa noso nosa este esta isto ese esa iso aquel é son era eran ser sido fun foi
    foron será está están estaba hai ten teñen tiña ter teño pode poden debe facer fai vai non nin xa moi moito moita
    moitos máis menos pouco todo toda todos todas cada outro outra mesmo tamén sempre nunca nada ninguén aquí alí hoxe
    onte mañá ben así dous dúas tres só calquera aínda despois antes entón xunto lingua galego`,
  eu: `eta da ez bat du dira zen ere baina edo hau hori ni zu hura gu zuek haiek nire zure bere gure da dago daude dut duzu
    dugu dute zuen ziren izan egin behar ahal nahi bezala baino oso asko gehiago gutxi dena guztiak beste bakoitza gaur
    atzo bihar hemen hor han non noiz nola zergatik zer nor zein arte gabe kontra bidez buruz ondoren aurretik`,
  oc: `l' d' lo la los las un una de del dels al als e o mas se que qui quand ont coma perque dins amb per sens sus entre es son
    èra aquel aquela aqueste aquò ieu tu el ela nosautres eles mon ton son nòstre pas mai tot totes cada autre tanben
    sempre jamai res uèi ièr deman aicí ai as a avèm an far fa pòt cal`,
  ast: `el la los les un una de del al nel na y o pero si que quien cuando onde cómo porque pa con sin sobre ye son yera
    foi yo tu él ella nós ellos mio to so esti esta esto esi esa eso ta tan hai tien puen ensin más munchu munchos toos
    cada otru tamién siempre enxamás güei ayeri mañana equí ellí asturianu xente facer fai`,
  br: `ar an al ur un ul ha hag pe met evit gant da e en eus a war dre hep dindan etre me te eñ hi ni c'hwi int ma da hon
    ho va o he oa eo zo emañ bez' bezañ ket ne na holl kalz muioc'h nebeutoc'h bras hennezh houmañ se mañ petra piv
    pelec'h penaos perak hiziv dec'h warc'hoazh amañ aze bepred gwech daou tri brezhoneg am eus ez bet vo vez gwelet`,
  cy: `y yr a ac i o yn ar at am gan gyda heb dros trwy rhwng mae oes oedd bod wedi bydd yw ydy ydw nid ddim fi ti ef hi ni
    chi nhw fy dy ei ein eich eu hwn hon hyn hynny pwy beth ble pryd sut pam os ond neu fel mwy llai iawn pob arall
    heddiw ddoe yfory yma yno roedd gallwch wnaeth dwi rydw rydym`,
  ga: `an na agus i ar le do ó go chun faoi gan trí idir tá bhí is níl ba mé tú sé sí muid sibh siad mo do a ár bhur seo
    sin cé cad cá cathain conas cén má ach nó mar níos mó lú gach eile inniu inné amárach anseo ansin bhfuil beidh raibh
    dom duit dó aon ní atá`,
  gd: `an am na agus anns air le do bho gu fo gun tro eadar tha bha is chan eil mi thu e i sinn sibh iad mo do a ar ur seo
    sin cò dè càite cuin ciamar carson ma ach no mar nas motha gach eile an-diugh an-dè a-màireach bidh robh a' aig`,
  af: `die 'n en of maar want as dan wanneer waar wie wat watter hoe hoekom omdat sodat terwyl van in op aan by met vir na
    uit oor onder deur teen sonder om te tussen ek jy hy sy ons julle hulle my jou hom haar hul u dit dat hierdie daardie
    is was wees word het had kan moet mag wil sal sou gaan doen nie geen niks nooit altyd nog al ook baie meer minder
    elke alle alles iets iemand niemand ander self vandag gister môre weer so nou twee drie net hê wees gewees hier daar`,
  fy: `de it in en of mar want as dan wannear wêr wa wat hokker hoe wêrom om te fan op oan by mei foar nei út oer ûnder
    troch tsjin sûnder ik do hy sy wy jim my dy him har ús myn dyn syn dit dat dizze is binne wie wiene wêze wurdt wurde
    hat hawwe ha hie kin kinne moat moatte mei wol sil soe net gjin neat nea altyd noch ek tige folle mear minder elk
    alle alles hjoed juster moarn wer sa no twa trije allinne hjir dêr`,
  lb: `de d' den dem der eng een en engem enger an oder awer wann dann wéi ob well dass vun vum zu zum zur am op aus bei mat
    no fir iwwer ënner virun duerch géint ouni ech du hien hatt si mir dir mech dech eis iech mäin däin säin hir eisen
    dës dësen ass sinn war waren hunn huet hat hat gëtt ginn kann kënnen muss soll wëll net näischt och nëmmen scho nach
    ganz vill méi manner all alles haut gëschter muer hei do wat wien wou firwat`,
  nds: `de dat een en un oder avers wenn denn as wo wat wer worüm van vun to na bi mit för över ünner dörch gegen ahn ik du
    he se wi ji mi di em ehr uns jem mien dien sien düsse is sünd weer weren hett hebbt harr warrt kann köönt mutt schall
    will nich nix ok bloots noch all veel mehr elk hüüt güstern morgen hier dor keen`,
  id: `yang dan di ke dari untuk dengan pada ini itu adalah tidak akan dalam oleh juga atau tetapi tapi jika kalau karena
    saya aku kamu anda dia ia kami kita mereka nya sudah telah belum sedang bisa dapat harus ada apa siapa mana kapan
    bagaimana mengapa kenapa sangat lebih paling semua setiap banyak sedikit lain sendiri selalu hari kemarin besok
    sekarang sini sana lagi hanya saja seperti sebagai agar tentang antara sebelum setelah saat dua tiga bukan jangan
    namun bahwa secara tahu mau`,
  ms: `yang dan di ke dari untuk dengan pada ini itu adalah ialah tidak akan dalam oleh juga atau tetapi jika kalau kerana
    saya aku kamu anda awak dia ia kami kita mereka nya sudah telah belum sedang boleh dapat mesti perlu ada apa siapa
    mana bila bagaimana mengapa kenapa sangat lebih paling semua setiap banyak sedikit lain sendiri sentiasa hari
    semalam esok sekarang sini sana lagi hanya sahaja seperti sebagai supaya tentang antara sebelum selepas ketika dua
    tiga bukan jangan namun bahawa secara tahu mahu`,
  jv: `lan sing ing saka kanggo karo iki iku ora bakal uga utawa nanging yen amarga aku kowe dheweke kita wis durung bisa
    kudu ana apa sapa endi kapan kepiye banget luwih kabeh saben akeh liya dina wingi sesuk saiki kene mung kaya`,
  su: `anu jeung di ka ti pikeun ku dina ieu eta henteu teu bakal ogé atawa tapi lamun sabab kuring anjeun manéhna urang
    geus acan bisa kudu aya naon saha mana iraha kumaha pisan leuwih kabéh unggal loba poé kamari isuk ayeuna dieu ngan`,
  tl: `ang ng sa na at ay mga ito iyon ako ikaw siya kami tayo kayo sila ko mo niya namin natin ninyo nila hindi wala may
    mayroon kung kapag dahil pero o para ni si kay nang pa rin din lang naman po ba ano sino saan kailan paano bakit
    lahat bawat ibang marami araw ngayon kahapon bukas dito doon kaya maaari dapat isang`,
  sw: `na ya wa kwa ni la za katika cha vya kuwa si lakini au kama hii hiyo huu hilo hizo hizi huyo hao mimi wewe yeye sisi
    ninyi wao yangu yako yake yetu yao wake wangu zake ambayo ambao alikuwa ilikuwa walikuwa atakuwa ana wana nina bila
    kila sana zaidi pia tu bado tayari leo jana kesho hapa pale sasa nini nani wapi lini vipi kwanini watu moja mbili
    hakuna kuna baada kabla kwamba`,
  vi: `và của là có không được cho với trong này các một những đã sẽ đang cũng như khi để từ về người tôi bạn anh chị em
    họ chúng ta nó thì mà nhưng hoặc nếu vì nên rất nhiều ít hơn nhất mọi mỗi khác ở đây đó gì ai đâu sao hôm nay qua
    mai ra vào lên xuống phải chỉ vẫn`,
  eo: `la kaj de en al por kun sen sur sub inter pri per antaŭ post estas estis estos esti mi vi li ŝi ĝi ni ili mia via lia
    tiu tio ĉi tiuj kiu kio kie kiam kiel kial se sed aŭ ĉar ke ne neniam ĉiam tre pli malpli multe ĉiu alia ankaŭ nur
    jam ankoraŭ hodiaŭ hieraŭ morgaŭ havas povas devas oni el ĝis`,
  la: `et in est non ad cum ut ex ab de per pro sed si aut vel quod qui quae quid quis ubi quando cur enim autem nec neque
    atque ac etiam iam nunc tamen esse sunt erat erant fuit ego tu nos vos me te se hic haec hoc ille illa illud ipse
    suus meus omnis omnia quoque sine inter post ante`,
  sq: `dhe në të e i me për një nga që është janë ishte ka kanë kishte do nuk mos se si kur ku pse kush çfarë unë ti ai ajo
    ne ju ata ato im yt tij saj tyre ky kjo këta por ose nëse sepse edhe vetëm shumë më pak gjithë çdo tjetër sot dje
    nesër këtu atje mund duhet jam jemi deri pa mbi`,
  mt: `il l- il- u ta' tal- li fil- f' għal għall- ma' mal- minn mill- bil- bi huwa hija huma jien int aħna intom kien kienet
    kienu hemm mhux ma x' jew imma jekk għax meta fejn kif għaliex dan din dawn dak dik tiegħu tagħha tagħhom kollha ħafna
    aktar biss ukoll illum lbieraħ għada hawn hemm`,
  fo: `og í á at er sum var ikki tað við til men um fyri av frá eru hann hon tey eg tú mær tær hetta hesin hevur høvdu verið
    vera kann skal vil ella tá hvat hvør hvar hvussu bara eisini nógv alt øll nakað her har nú so`,
  ht: `yon nan ak pou ki li se te pa mwen ou nou yo sa a la gen kap ap pral fè di men oswa si lè kote kijan poukisa anpil
    plis tout chak lòt jodi yè demen isit toujou janm poutèt epi ka sou anba`,
  so: `iyo waa in ka ku u oo ah ayaa la uu ay wuxuu waxay waxaa kale si loo aan ma ahay tahay yahay isaga iyada annaga
    waxa kasta badan maanta shalay berri halkan laakiin ama haddii sababtoo markii`,
  ha: `da na a ta ya ba ne ce shi ita mu su ni kai ke ga don daga cikin kan wannan wancan wani wata suna yana tana muna
    kuma amma ko idan saboda yadda yaushe ina me wa duk kowane yau jiya gobe nan can sosai zai za ake`,
  yo: `ni ti àti fún sí nínú láti kan kò kì jẹ́ wà ó mo o a ẹ wọ́n mi rẹ wa yìí yẹn tàbí ṣùgbọ́n bí nítorí nígbà ibi gbogbo
    púpọ̀ lónìí àná lọ́la náà ṣe sì pé`,
  zu: `futhi ukuthi kodwa uma noma ngoba lapho lokhu lokho mina wena yena thina bona wami wakho wakhe konke zonke namhlanje
    izolo kusasa lapha khona kakhulu kuphela manje ngaphambi emva yini ubani kanjani ukuze kuze nge`,
  xh: `kwaye ukuba kodwa okanye kuba apho oku oko mna wena yena thina bona wam wakho wakhe konke zonke namhlanje izolo
    ngomso apha khona kakhulu kuphela ngoku ngaphambi emva yintoni ngubani njani ukuze nge`,
  uz: `va bu bir bilan uchun ham emas bor yo'q lekin yoki agar chunki men sen u biz siz ular mening sening uning bizning
    shu har hamma barcha ko'p kam juda bugun kecha ertaga bu yerda nima kim qayerda qachon qanday nega keyin oldin kerak
    mumkin edi ekan`,
  az: `və bir bu üçün ilə də ki nə o mən sən biz siz onlar mənim sənin onun bizim var yox deyil amma və ya əgər çünki hər
    bütün çox az daha ən bu gün dünən sabah burada orada necə niyə harada kim hansı sonra əvvəl olan olaraq idi edir
    olur lazımdır`,
  ku: `û li ji bi di de da ku ev ew ez tu em hûn wan min te wî wê me we ye in bû bûn heye hene tune ne jî an lê heke ji ber
    çi kî kengî çawa çima her hemû pir zêde kêm îro duh sibê li vir`,
  mg: `ny sy dia ao amin'ny tamin'ny ho fa tsy misy izany izao io ireo aho ianao izy izahay isika ianareo nefa na raha satria
    inona iza aiza rahoviana ahoana nahoana rehetra betsaka kokoa androany omaly rahampitso eto ary dia`,
};

const sets = new Map<string, ReadonlySet<string>>();

/** Empty for a language without a list. */
export function functionWords(language: string): ReadonlySet<string> {
  let set = sets.get(language);
  if (!set) {
    set = new Set((LISTS[language] ?? '').split(/\s+/).filter((word) => word !== ''));
    sets.set(language, set);
  }
  return set;
}

export const LANGUAGES_WITH_FUNCTION_WORDS: readonly string[] = Object.keys(LISTS);
